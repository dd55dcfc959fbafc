; y = 2 x + y in steps of 16 bytes; words: x, y, elements / 4.
define void @map(ptr addrspace(1) noalias readonly %x, ptr addrspace(1) %y, i64 %count) {
entry:
  %t = call i32 @sinter_gpu_thread_index()
  %b = call i32 @sinter_gpu_block_index_x()
  %size = call i32 @sinter_gpu_block_size()
  %blocks = call i32 @sinter_gpu_grid_size_x()
  %b64 = zext i32 %b to i64
  %size64 = zext i32 %size to i64
  %t64 = zext i32 %t to i64
  %blocks64 = zext i32 %blocks to i64
  %from = mul i64 %b64, %size64
  %first = add i64 %from, %t64
  %step = mul i64 %size64, %blocks64
  br label %head
head:
  %i = phi i64 [%first, %entry], [%next, %body]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %body, label %end
body:
  %px = getelementptr <4 x float>, ptr addrspace(1) %x, i64 %i
  %py = getelementptr <4 x float>, ptr addrspace(1) %y, i64 %i
  %vx = load <4 x float>, ptr addrspace(1) %px, align 16
  %vy = load <4 x float>, ptr addrspace(1) %py, align 16
  %p = fmul <4 x float> %vx, <float 2.0, float 2.0, float 2.0, float 2.0>
  %s = fadd <4 x float> %p, %vy
  store <4 x float> %s, ptr addrspace(1) %py, align 16
  %next = add i64 %i, %step
  br label %head
end:
  ret void
}
