; Tiles of 32 x 32 floats by blocks of 256, through shared memory of 32 x 33; words: input, output,
; rows, columns (multiples of 32).  Pointers are words.
define void @transpose(i64 %in, i64 %out, i64 %rows, i64 %columns) {
entry:
  %input = inttoptr i64 %in to ptr
  %output = inttoptr i64 %out to ptr
  %shared = call ptr addrspace(3) @sinter_gpu_shared_memory()
  %t = call i32 @sinter_gpu_thread_index()
  %x32 = and i32 %t, 31
  %y32 = lshr i32 %t, 5
  %bx32 = call i32 @sinter_gpu_block_index_x()
  %by32 = call i32 @sinter_gpu_block_index_y()
  %bx = zext i32 %bx32 to i64
  %by = zext i32 %by32 to i64
  %x = zext i32 %x32 to i64
  %y = zext i32 %y32 to i64
  %left = shl i64 %bx, 5
  %top = shl i64 %by, 5
  br label %read
read:
  %j = phi i64 [0, %entry], [%j8, %read]
  %tile_row = add i64 %y, %j
  %row = add i64 %top, %tile_row
  %column = add i64 %left, %x
  %start = mul i64 %row, %columns
  %place = add i64 %start, %column
  %p = getelementptr float, ptr %input, i64 %place
  %v = load float, ptr %p
  %tile_start = mul i64 %tile_row, 33
  %tile_place = add i64 %tile_start, %x
  %s = getelementptr float, ptr addrspace(3) %shared, i64 %tile_place
  store float %v, ptr addrspace(3) %s
  %j8 = add i64 %j, 8
  %more = icmp ult i64 %j8, 32
  br i1 %more, label %read, label %wait
wait:
  call void @sinter_gpu_barrier()
  br label %write
write:
  %k = phi i64 [0, %wait], [%k8, %write]
  %tile_column = add i64 %y, %k
  %out_row = add i64 %left, %tile_column
  %out_column = add i64 %top, %x
  %out_start = mul i64 %out_row, %rows
  %out_place = add i64 %out_start, %out_column
  %turned_start = mul i64 %x, 33
  %turned_place = add i64 %turned_start, %tile_column
  %u = getelementptr float, ptr addrspace(3) %shared, i64 %turned_place
  %w = load float, ptr addrspace(3) %u
  %q = getelementptr float, ptr %output, i64 %out_place
  store float %w, ptr %q
  %k8 = add i64 %k, 8
  %again = icmp ult i64 %k8, 32
  br i1 %again, label %write, label %end
end:
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"sinter_global_addresses", i32 1}
