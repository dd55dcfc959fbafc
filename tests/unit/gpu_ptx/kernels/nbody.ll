; Accelerations of bodies (x, y, z, mass), a tile of a block's bodies at a time; words: bodies,
; results, bodies (a multiple of the block's size).
define void @nbody(ptr addrspace(1) noalias readonly %bodies, ptr addrspace(1) %results, i64 %count) {
entry:
  %shared = call ptr addrspace(3) @sinter_gpu_shared_memory()
  %t = call i32 @sinter_gpu_thread_index()
  %b = call i32 @sinter_gpu_block_index_x()
  %size = call i32 @sinter_gpu_block_size()
  %from = mul i32 %b, %size
  %i = add i32 %from, %t
  %i64 = zext i32 %i to i64
  %n = trunc i64 %count to i32
  %own = getelementptr <4 x float>, ptr addrspace(1) %bodies, i64 %i64
  %me = load <4 x float>, ptr addrspace(1) %own, align 16
  %x = extractelement <4 x float> %me, i32 0
  %y = extractelement <4 x float> %me, i32 1
  %z = extractelement <4 x float> %me, i32 2
  %slot = getelementptr <4 x float>, ptr addrspace(3) %shared, i32 %t
  br label %tiles
tiles:
  %tile = phi i32 [0, %entry], [%tile1, %folded]
  %sx = phi float [0.0, %entry], [%nx, %folded]
  %sy = phi float [0.0, %entry], [%ny, %folded]
  %sz = phi float [0.0, %entry], [%nz, %folded]
  %j = add i32 %tile, %t
  %j64 = zext i32 %j to i64
  %p = getelementptr <4 x float>, ptr addrspace(1) %bodies, i64 %j64
  %one = load <4 x float>, ptr addrspace(1) %p, align 16
  store <4 x float> %one, ptr addrspace(3) %slot, align 16
  call void @sinter_gpu_barrier()
  br label %fold
fold:
  %k = phi i32 [0, %tiles], [%k1, %fold]
  %ax = phi float [%sx, %tiles], [%nx, %fold]
  %ay = phi float [%sy, %tiles], [%ny, %fold]
  %az = phi float [%sz, %tiles], [%nz, %fold]
  %q = getelementptr <4 x float>, ptr addrspace(3) %shared, i32 %k
  %o = load <4 x float>, ptr addrspace(3) %q, align 16
  %ox = extractelement <4 x float> %o, i32 0
  %oy = extractelement <4 x float> %o, i32 1
  %oz = extractelement <4 x float> %o, i32 2
  %om = extractelement <4 x float> %o, i32 3
  %dx = fsub float %ox, %x
  %dy = fsub float %oy, %y
  %dz = fsub float %oz, %z
  %xx = fmul float %dx, %dx
  %yy = fmul float %dy, %dy
  %zz = fmul float %dz, %dz
  %xy = fadd float %xx, %yy
  %xyz = fadd float %xy, %zz
  %d = fadd float %xyz, 1.0
  %root = call float @llvm.sqrt.f32(float %d)
  %cube = fmul float %d, %root
  %f = fdiv float %om, %cube
  %fx = fmul float %dx, %f
  %fy = fmul float %dy, %f
  %fz = fmul float %dz, %f
  %nx = fadd float %ax, %fx
  %ny = fadd float %ay, %fy
  %nz = fadd float %az, %fz
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, %size
  br i1 %more, label %fold, label %folded
folded:
  call void @sinter_gpu_barrier()
  %tile1 = add i32 %tile, %size
  %again = icmp ult i32 %tile1, %n
  br i1 %again, label %tiles, label %write
write:
  %r0 = insertelement <4 x float> zeroinitializer, float %nx, i32 0
  %r1 = insertelement <4 x float> %r0, float %ny, i32 1
  %r2 = insertelement <4 x float> %r1, float %nz, i32 2
  %place = getelementptr <4 x float>, ptr addrspace(1) %results, i64 %i64
  store <4 x float> %r2, ptr addrspace(1) %place, align 16
  ret void
}
declare float @llvm.sqrt.f32(float)
