; The sum of each block's share of i32; words: input, results of the blocks, elements / 4.
define internal i32 @of_warp(i32 %v) {
entry:
  br label %loop
loop:
  %delta = phi i32 [16, %entry], [%half, %loop]
  %sum = phi i32 [%v, %entry], [%more, %loop]
  %other = call i32 @sinter_gpu_shuffle_down(i32 %sum, i32 %delta)
  %more = add i32 %sum, %other
  %half = lshr i32 %delta, 1
  %again = icmp ne i32 %half, 0
  br i1 %again, label %loop, label %end
end:
  ret i32 %more
}
define void @reduce(ptr addrspace(1) noalias readonly %input, ptr addrspace(1) %results, i64 %count) {
entry:
  %t = call i32 @sinter_gpu_thread_index()
  %b = call i32 @sinter_gpu_block_index_x()
  %size = call i32 @sinter_gpu_block_size()
  %blocks = call i32 @sinter_gpu_grid_size_x()
  %shared = call ptr addrspace(3) @sinter_gpu_shared_memory()
  %first32 = mul i32 %b, %size
  %first = add i32 %first32, %t
  %first64 = zext i32 %first to i64
  %step = mul i32 %size, %blocks
  %step64 = zext i32 %step to i64
  br label %head
head:
  %i = phi i64 [%first64, %entry], [%next, %body]
  %sums = phi <4 x i32> [zeroinitializer, %entry], [%added, %body]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %body, label %fold
body:
  %p = getelementptr <4 x i32>, ptr addrspace(1) %input, i64 %i
  %v = load <4 x i32>, ptr addrspace(1) %p, align 16
  %added = add <4 x i32> %sums, %v
  %next = add i64 %i, %step64
  br label %head
fold:
  %sum = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %sums)
  %warp = call i32 @of_warp(i32 %sum)
  %lane = and i32 %t, 31
  %number = lshr i32 %t, 5
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %keep, label %wait
keep:
  %slot = getelementptr i32, ptr addrspace(3) %shared, i32 %number
  store i32 %warp, ptr addrspace(3) %slot
  br label %wait
wait:
  call void @sinter_gpu_barrier()
  %is_first = icmp eq i32 %number, 0
  br i1 %is_first, label %last, label %end
last:
  %warps = lshr i32 %size, 5
  %has = icmp ult i32 %lane, %warps
  %at = getelementptr i32, ptr addrspace(3) %shared, i32 %lane
  br i1 %has, label %read, label %all
read:
  %w = load i32, ptr addrspace(3) %at
  br label %all
all:
  %part = phi i32 [0, %last], [%w, %read]
  %total = call i32 @of_warp(i32 %part)
  br i1 %leads, label %write, label %end
write:
  %place = getelementptr i32, ptr addrspace(1) %results, i32 %b
  store i32 %total, ptr addrspace(1) %place
  br label %end
end:
  ret void
}
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
