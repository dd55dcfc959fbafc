; Sums of i32 from the left, with decoupled look-back; words: input, output, a counter of tiles, a
; word of 64 bits for each tile: state (0 nothing, 1 its own sum, 2 all from the left) and sum.
define internal i32 @within_warp(i32 %v, i32 %lane) {
entry:
  br label %loop
loop:
  %delta = phi i32 [1, %entry], [%twice, %loop]
  %sum = phi i32 [%v, %entry], [%more, %loop]
  %other = call i32 @sinter_gpu_shuffle_up(i32 %sum, i32 %delta)
  %reaches = icmp uge i32 %lane, %delta
  %added = select i1 %reaches, i32 %other, i32 0
  %more = add i32 %sum, %added
  %twice = shl i32 %delta, 1
  %again = icmp ult i32 %twice, 32
  br i1 %again, label %loop, label %end
end:
  ret i32 %more
}
define void @scan(ptr addrspace(1) noalias readonly %input, ptr addrspace(1) %output,
                  ptr addrspace(1) %counter, ptr addrspace(1) %states) {
entry:
  %shared = call ptr addrspace(3) @sinter_gpu_shared_memory()
  %t = call i32 @sinter_gpu_thread_index()
  %size = call i32 @sinter_gpu_block_size()
  %lane = and i32 %t, 31
  %warp = lshr i32 %t, 5
  %left_word = getelementptr i32, ptr addrspace(3) %shared, i32 32
  %tile_word = getelementptr i32, ptr addrspace(3) %shared, i32 33
  %is_first = icmp eq i32 %t, 0
  br i1 %is_first, label %take, label %taken
take:
  %new = atomicrmw add ptr addrspace(1) %counter, i32 1 monotonic
  store i32 %new, ptr addrspace(3) %tile_word
  br label %taken
taken:
  call void @sinter_gpu_barrier()
  %tile = load i32, ptr addrspace(3) %tile_word
  %from = mul i32 %tile, %size
  %i = add i32 %from, %t
  %i64 = zext i32 %i to i64
  %p = getelementptr <4 x i32>, ptr addrspace(1) %input, i64 %i64
  %v = load <4 x i32>, ptr addrspace(1) %p, align 16
  %v0 = extractelement <4 x i32> %v, i32 0
  %v1 = extractelement <4 x i32> %v, i32 1
  %v2 = extractelement <4 x i32> %v, i32 2
  %v3 = extractelement <4 x i32> %v, i32 3
  %s1 = add i32 %v0, %v1
  %s2 = add i32 %s1, %v2
  %s3 = add i32 %s2, %v3
  %upto = call i32 @within_warp(i32 %s3, i32 %lane)
  %is_last = icmp eq i32 %lane, 31
  br i1 %is_last, label %keep, label %kept
keep:
  %slot = getelementptr i32, ptr addrspace(3) %shared, i32 %warp
  store i32 %upto, ptr addrspace(3) %slot
  br label %kept
kept:
  call void @sinter_gpu_barrier()
  %is_zero = icmp eq i32 %warp, 0
  br i1 %is_zero, label %warps, label %looked
warps:
  %warp_slot = getelementptr i32, ptr addrspace(3) %shared, i32 %lane
  %count = lshr i32 %size, 5
  %has = icmp ult i32 %lane, %count
  %total = load i32, ptr addrspace(3) %warp_slot
  %of_lane = select i1 %has, i32 %total, i32 0
  %totals = call i32 @within_warp(i32 %of_lane, i32 %lane)
  store i32 %totals, ptr addrspace(3) %warp_slot
  %aggregate = call i32 @sinter_gpu_shuffle(i32 %totals, i32 31)
  br i1 %is_first, label %publish, label %looked
publish:
  %mine = getelementptr i64, ptr addrspace(1) %states, i32 %tile
  %own = zext i32 %aggregate to i64
  %own_state = or i64 %own, 4294967296
  call void @sinter_gpu_publish_i64(ptr addrspace(1) %mine, i64 %own_state)
  br label %look
look:
  %j = phi i32 [%tile, %publish], [%before, %step], [%j, %observe]
  %left = phi i32 [0, %publish], [%more, %step], [%left, %observe]
  %none = icmp eq i32 %j, 0
  br i1 %none, label %found, label %observe
observe:
  %before = sub i32 %j, 1
  %theirs = getelementptr i64, ptr addrspace(1) %states, i32 %before
  %word = call i64 @sinter_gpu_observe_i64(ptr addrspace(1) %theirs)
  %state = lshr i64 %word, 32
  %is_there = icmp ne i64 %state, 0
  br i1 %is_there, label %step, label %look
step:
  %part = trunc i64 %word to i32
  %more = add i32 %left, %part
  %is_all = icmp eq i64 %state, 2
  br i1 %is_all, label %found, label %look
found:
  %sum = phi i32 [%left, %look], [%more, %step]
  %inclusive = add i32 %sum, %aggregate
  %inclusive64 = zext i32 %inclusive to i64
  %all_state = or i64 %inclusive64, 8589934592
  call void @sinter_gpu_publish_i64(ptr addrspace(1) %mine, i64 %all_state)
  store i32 %sum, ptr addrspace(3) %left_word
  br label %looked
looked:
  call void @sinter_gpu_barrier()
  %carry = load i32, ptr addrspace(3) %left_word
  %warp_before = sub i32 %warp, 1
  %before_slot = getelementptr i32, ptr addrspace(3) %shared, i32 %warp_before
  %at_zero = icmp eq i32 %warp, 0
  br i1 %at_zero, label %write, label %offset
offset:
  %of_warps = load i32, ptr addrspace(3) %before_slot
  br label %write
write:
  %warp_left = phi i32 [0, %looked], [%of_warps, %offset]
  %exclusive = sub i32 %upto, %s3
  %l0 = add i32 %carry, %warp_left
  %l1 = add i32 %l0, %exclusive
  %r0 = add i32 %l1, %v0
  %r1 = add i32 %l1, %s1
  %r2 = add i32 %l1, %s2
  %r3 = add i32 %l1, %s3
  %w0 = insertelement <4 x i32> poison, i32 %r0, i32 0
  %w1 = insertelement <4 x i32> %w0, i32 %r1, i32 1
  %w2 = insertelement <4 x i32> %w1, i32 %r2, i32 2
  %w3 = insertelement <4 x i32> %w2, i32 %r3, i32 3
  %q = getelementptr <4 x i32>, ptr addrspace(1) %output, i64 %i64
  store <4 x i32> %w3, ptr addrspace(1) %q, align 16
  ret void
}
