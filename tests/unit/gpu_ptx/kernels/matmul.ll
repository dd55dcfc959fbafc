; A product of matrices of floats by tiles of 64 x 64, 16 columns and rows at a time, 4 x 4 elements a
; thread of 256; words: a (rows x depth), b (depth x columns), c, depth, columns (all multiples of 64).
; Pointers are words; what a thread has is arrays and loops, as emission writes them.
define void @matmul(i64 %a_word, i64 %b_word, i64 %c_word, i64 %depth, i64 %columns) {
entry:
  %acc = alloca [16 x float]
  %av = alloca [4 x float]
  %bv = alloca [4 x float]
  store [16 x float] zeroinitializer, ptr %acc
  %a = inttoptr i64 %a_word to ptr
  %b = inttoptr i64 %b_word to ptr
  %c = inttoptr i64 %c_word to ptr
  %as = call ptr addrspace(3) @sinter_gpu_shared_memory()
  %bs = getelementptr i8, ptr addrspace(3) %as, i64 4096
  %t32 = call i32 @sinter_gpu_thread_index()
  %t = zext i32 %t32 to i64
  %bx32 = call i32 @sinter_gpu_block_index_x()
  %by32 = call i32 @sinter_gpu_block_index_y()
  %bx = zext i32 %bx32 to i64
  %by = zext i32 %by32 to i64
  %left = shl i64 %bx, 6
  %top = shl i64 %by, 6
  %tx4.0 = and i64 %t, 15
  %tx4 = shl i64 %tx4.0, 2
  %ty4.0 = lshr i64 %t, 4
  %ty4 = shl i64 %ty4.0, 2
  %a_row = lshr i64 %t, 2
  %a_col.0 = and i64 %t, 3
  %a_col = shl i64 %a_col.0, 2
  br label %tiles
tiles:
  %k0 = phi i64 [0, %entry], [%k1, %folded]
  %row = add i64 %top, %a_row
  %row_start = mul i64 %row, %depth
  %k_col = add i64 %k0, %a_col
  %a_place = add i64 %row_start, %k_col
  %pa = getelementptr float, ptr %a, i64 %a_place
  %va = load <4 x float>, ptr %pa, align 16
  %e0 = extractelement <4 x float> %va, i32 0
  %c0.0 = add i64 %a_col, 0
  %c0.1 = shl i64 %c0.0, 6
  %c0 = add i64 %c0.1, %a_row
  %s0 = getelementptr float, ptr addrspace(3) %as, i64 %c0
  store float %e0, ptr addrspace(3) %s0
  %e1 = extractelement <4 x float> %va, i32 1
  %c1.0 = add i64 %a_col, 1
  %c1.1 = shl i64 %c1.0, 6
  %c1 = add i64 %c1.1, %a_row
  %s1 = getelementptr float, ptr addrspace(3) %as, i64 %c1
  store float %e1, ptr addrspace(3) %s1
  %e2 = extractelement <4 x float> %va, i32 2
  %c2.0 = add i64 %a_col, 2
  %c2.1 = shl i64 %c2.0, 6
  %c2 = add i64 %c2.1, %a_row
  %s2 = getelementptr float, ptr addrspace(3) %as, i64 %c2
  store float %e2, ptr addrspace(3) %s2
  %e3 = extractelement <4 x float> %va, i32 3
  %c3.0 = add i64 %a_col, 3
  %c3.1 = shl i64 %c3.0, 6
  %c3 = add i64 %c3.1, %a_row
  %s3 = getelementptr float, ptr addrspace(3) %as, i64 %c3
  store float %e3, ptr addrspace(3) %s3
  %b_row = add i64 %k0, %ty4.0
  %b_start = mul i64 %b_row, %columns
  %b_col = add i64 %left, %tx4
  %b_place = add i64 %b_start, %b_col
  %pb = getelementptr float, ptr %b, i64 %b_place
  %vb = load <4 x float>, ptr %pb, align 16
  %sb.0 = shl i64 %ty4.0, 6
  %sb.1 = add i64 %sb.0, %tx4
  %sb = getelementptr float, ptr addrspace(3) %bs, i64 %sb.1
  store <4 x float> %vb, ptr addrspace(3) %sb, align 16
  call void @sinter_gpu_barrier()
  br label %fold
fold:
  %kk = phi i64 [0, %tiles], [%kk1, %rows_done]
  %line = shl i64 %kk, 6
  %ra.0 = add i64 %line, %ty4
  %ra = getelementptr float, ptr addrspace(3) %as, i64 %ra.0
  %la = load <4 x float>, ptr addrspace(3) %ra, align 16
  store <4 x float> %la, ptr %av
  %rb.0 = add i64 %line, %tx4
  %rb = getelementptr float, ptr addrspace(3) %bs, i64 %rb.0
  %lb = load <4 x float>, ptr addrspace(3) %rb, align 16
  store <4 x float> %lb, ptr %bv
  br label %rows
rows:
  %i = phi i64 [0, %fold], [%i1, %columns_done]
  %pai = getelementptr float, ptr %av, i64 %i
  %ai = load float, ptr %pai
  %i4 = shl i64 %i, 2
  br label %cols
cols:
  %j = phi i64 [0, %rows], [%j1, %cols]
  %pbj = getelementptr float, ptr %bv, i64 %j
  %bj = load float, ptr %pbj
  %at = add i64 %i4, %j
  %pc = getelementptr float, ptr %acc, i64 %at
  %old = load float, ptr %pc
  %product = fmul contract float %ai, %bj
  %new = fadd contract float %old, %product
  store float %new, ptr %pc
  %j1 = add i64 %j, 1
  %more_j = icmp ult i64 %j1, 4
  br i1 %more_j, label %cols, label %columns_done
columns_done:
  %i1 = add i64 %i, 1
  %more_i = icmp ult i64 %i1, 4
  br i1 %more_i, label %rows, label %rows_done
rows_done:
  %kk1 = add i64 %kk, 1
  %more_k = icmp ult i64 %kk1, 16
  br i1 %more_k, label %fold, label %folded
folded:
  call void @sinter_gpu_barrier()
  %k1 = add i64 %k0, 16
  %more = icmp ult i64 %k1, %depth
  br i1 %more, label %tiles, label %write
write:
  %o = phi i64 [0, %folded], [%o1, %write]
  %o_row.0 = add i64 %top, %ty4
  %o_row = add i64 %o_row.0, %o
  %o_start = mul i64 %o_row, %columns
  %o_place = add i64 %o_start, %b_col
  %q = getelementptr float, ptr %c, i64 %o_place
  %o4 = shl i64 %o, 2
  %r = getelementptr float, ptr %acc, i64 %o4
  %v = load <4 x float>, ptr %r, align 4
  store <4 x float> %v, ptr %q, align 16
  %o1 = add i64 %o, 1
  %more_o = icmp ult i64 %o1, 4
  br i1 %more_o, label %write, label %end
end:
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"sinter_global_addresses", i32 1}
