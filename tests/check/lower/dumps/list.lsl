object #1 top: 8 bytes = +0:8 #2
object #2 first: 24 bytes (0 next;8 item.key;10 item.mark;16 item.value;) = +8:2 1, +10:1 120, +16:8 18446744073709551615
init fencer_init_
operation a: fencer_op_a
operation r: fencer_op_r
test Ta: a ( a | r )
test Tb: ( r | r )
proc fencer_init_()
    block 0
        store8 #1, 0                            ; 57:9 top
        return
proc fencer_op_a()
    block 0
        %1 = choose i32 2                       ; 62:10
        %2 = zext i32 i64 %1                    ; 62:10
        call push(%2)                           ; 62:5
        return
proc fencer_op_r()
    block 0
        %1 = call i64 pop()                     ; 67:18
        %2 = ne i64 i1 %1, 5                    ; 69:25
        %3 = zext i1 i32 %2                     ; 69:25
        assume %3                               ; 69:5
        observe %1 "r"                          ; 70:5
        return
proc push(%0)
    loop 0: blocks 1 to 2, line 28
    block 0
        %7 = alloc i64 24                       ; 22:22
        %8 = add i64 %7, 8                      ; 26:8
        store2 %8, ?                            ; 26:15 n->item.key
        %9 = add i64 %8, 2                      ; 26:15
        store1 %9, ?                            ; 26:15 n->item.mark
        %10 = add i64 %8, 8                     ; 26:15
        store8 %10, %0                          ; 26:15 n->item.value
        goto 1
    block 1 in loop 0
        %11 = load8 #1                          ; 28:19 top
        store8 %7, %11                          ; 28:17 n->next
        goto 2
    block 2 in loop 0
        %12 = load8 %7                          ; 29:51 n->next
        %13 = cas8 seq_cst/seq_cst #1, %12, %7  ; 29:13 top
        %14 = eq i64 i1 %13, %12                ; 29:13
        %15 = xor i1 %14, 1                     ; 29:12
        if %15 goto 1 else 3                    ; 28:9
    block 3
        return
proc pop()
    loop 0: blocks 1 to 3, line 37
    block 0
        goto 1
    block 1 in loop 0
        %5 = load8 #1                           ; 38:13 top
        %6 = ne i64 i1 %5, 0                    ; 39:14
        if %6 goto 2 else 4                     ; 39:13
    block 2 in loop 0
        %7 = load8 %5                           ; 41:54 n->next
        %8 = cas8 seq_cst/seq_cst #1, %5, %7    ; 41:13 top
        %9 = eq i64 i1 %8, %5                   ; 41:13
        if %9 goto 5 else 3                     ; 41:13
    block 3 in loop 0
        goto 1
    block 4
        goto 9
    block 5
        goto 6
    block 6
        %10 = add i64 %5, 8                     ; 44:12
        %11 = load2 %10                         ; 44:17 n->item.key
        %12 = ne i16 i1 %11, 0                  ; 44:9
        if %12 goto 7 else 8                    ; 44:9
    block 7
        %13 = add i64 %5, 8                     ; 45:20
        %14 = add i64 %13, 8                    ; 45:25
        %15 = load8 %14                         ; 45:25 n->item.value
        goto 8
    block 8
        %16 = phi i64 7: %15, 6: ?              ; 32:0
        free %5                                 ; 46:5 *n
        goto 9
    block 9
        %17 = phi i64 8: %16, 4: 18446744073709551615 ; 32:0
        return %17
