; Counts of 256 bins, in shared memory first; words: input (i32 below 256), bins, elements.
define void @histogram(ptr addrspace(1) noalias readonly %input, ptr addrspace(1) %bins, i64 %count) {
entry:
  %shared = call ptr addrspace(3) @sinter_gpu_shared_memory()
  %t = call i32 @sinter_gpu_thread_index()
  %b = call i32 @sinter_gpu_block_index_x()
  %size = call i32 @sinter_gpu_block_size()
  %blocks = call i32 @sinter_gpu_grid_size_x()
  %own = getelementptr i32, ptr addrspace(3) %shared, i32 %t
  store i32 0, ptr addrspace(3) %own
  call void @sinter_gpu_barrier()
  %from = mul i32 %b, %size
  %first = add i32 %from, %t
  %first64 = zext i32 %first to i64
  %step = mul i32 %size, %blocks
  %step64 = zext i32 %step to i64
  br label %head
head:
  %i = phi i64 [%first64, %entry], [%next, %body]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %body, label %sum
body:
  %p = getelementptr i32, ptr addrspace(1) %input, i64 %i
  %bin = load i32, ptr addrspace(1) %p
  %slot = getelementptr i32, ptr addrspace(3) %shared, i32 %bin
  %old = atomicrmw add ptr addrspace(3) %slot, i32 1 monotonic
  %next = add i64 %i, %step64
  br label %head
sum:
  call void @sinter_gpu_barrier()
  %counted = load i32, ptr addrspace(3) %own
  %place = getelementptr i32, ptr addrspace(1) %bins, i32 %t
  %before = atomicrmw add ptr addrspace(1) %place, i32 %counted monotonic
  ret void
}
