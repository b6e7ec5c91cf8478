object #1 shared: 24 bytes (0 key;8 at;16 next;)
object #2 pairs: 32 bytes
object #3 small: 4 bytes (0 half;2 byte;)
main main
proc main()
    block 0
        %20 = alloc i64 24                      ; 49:23
        call fill(%20)                          ; 51:5 *l
        %21 = load8 %20                         ; 52:14 l->key
        store8 #1, %21                          ; 52:14 shared.key
        %22 = add i64 %20, 8                    ; 52:14
        %23 = load2 %22                         ; 52:14 l->at[0]
        store2 #1+8, %23                        ; 52:14 shared.at[0]
        %24 = add i64 %22, 2                    ; 52:14
        %25 = load2 %24                         ; 52:14 l->at[1]
        store2 #1+10, %25                       ; 52:14 shared.at[1]
        %26 = add i64 %20, 16                   ; 52:14
        %27 = load8 %26                         ; 52:14 l->next
        store8 #1+16, %27                       ; 52:14 shared.next
        %28 = stack i64 24                      ; 53:18
        %29 = load8 %20                         ; 53:18 *l
        store8 private %28, %29                 ; 53:18 *l
        %30 = add i64 %20, 8                    ; 53:18
        %31 = load2 %30                         ; 53:18 *l
        %32 = add i64 %28, 8                    ; 53:18
        store2 private %32, %31                 ; 53:18 *l
        %33 = add i64 %20, 10                   ; 53:18
        %34 = load2 %33                         ; 53:18 *l
        %35 = add i64 %28, 10                   ; 53:18
        store2 private %35, %34                 ; 53:18 *l
        %36 = add i64 %20, 16                   ; 53:18
        %37 = load8 %36                         ; 53:18 *l
        %38 = add i64 %28, 16                   ; 53:18
        store8 private %38, %37                 ; 53:18 *l
        %39 = call i64 by_value(%28)            ; 53:18 *l
        store8 #1, %39                          ; 53:16 shared.key
        %40 = load4 #2                          ; 54:16 pairs[0].left
        %41 = zext i32 i64 %40                  ; 54:16
        %42 = load4 #2+4                        ; 54:16 pairs[0].right
        %43 = zext i32 i64 %42                  ; 54:16
        %44 = shl i64 %43, 32                   ; 54:16
        %45 = or i64 %41, %44                   ; 54:16
        %46 = load8 #2+8                        ; 54:16 pairs[0].where
        %47 = load2 #3                          ; 54:16 small.half
        %48 = zext i16 i32 %47                  ; 54:16
        %49 = load1 #3+2                        ; 54:16 small.byte
        %50 = zext i8 i32 %49                   ; 54:16
        %51 = shl i32 %50, 16                   ; 54:16
        %52 = or i32 %48, %51                   ; 54:16
        %53 = stack i64 16                      ; 54:16
        call in_registers(%45, %46, %52, %53)   ; 54:16
        %54 = load8 private %53                 ; 54:16
        %55 = add i64 %53, 8                    ; 54:16
        %56 = load8 private %55                 ; 54:16
        %57 = trunc i64 i32 %54                 ; 54:16
        %58 = lshr i64 %54, 32                  ; 54:16
        %59 = trunc i64 i32 %58                 ; 54:16
        store4 #2+16, %57                       ; 54:16 pairs[1].left
        store4 #2+20, %59                       ; 54:16 pairs[1].right
        store8 #2+24, %56                       ; 54:16 pairs[1].where
        free %20                                ; 55:5 *l
        return 0
proc fill(%0)
    block 0
        store8 %0, 0                            ; 43:5 *l
        %6 = add i64 %0, 8                      ; 43:5
        store2 %6, 0                            ; 43:5 *l
        %7 = add i64 %0, 10                     ; 43:5
        store2 %7, 0                            ; 43:5 *l
        %8 = add i64 %0, 16                     ; 43:5
        store8 %8, 0                            ; 43:5 *l
        store8 %0, 1                            ; 44:12 l->key
        return
proc by_value(%0)
    block 0
        %4 = load8 private %0                   ; 31:10 l->key
        %5 = add i64 %4, 1                      ; 31:10
        store8 private %0, %5                   ; 31:10 l->key
        %6 = load8 private %0                   ; 32:14 l->key
        %7 = add i64 %0, 8                      ; 32:22
        %8 = add i64 %7, 2                      ; 32:20
        %9 = load2 private %8                   ; 32:20 l->at[1]
        %10 = sext i16 i64 %9                   ; 32:20
        %11 = add i64 %6, %10                   ; 32:18
        return %11
proc in_registers(%0, %1, %2, %3)
    block 0
        %11 = trunc i64 i32 %0                  ; 35:0
        %12 = lshr i64 %0, 32                   ; 35:0
        %13 = trunc i64 i32 %12                 ; 35:0
        %14 = trunc i32 i16 %2                  ; 35:0
        %15 = lshr i32 %2, 16                   ; 35:0
        %16 = trunc i32 i8 %15                  ; 35:0
        %17 = sext i16 i32 %14                  ; 37:14
        %18 = zext i32 i64 %13                  ; 38:5
        %19 = shl i64 %18, 32                   ; 38:5
        %20 = and i64 0, 4294967295             ; 38:5
        %21 = or i64 %20, %19                   ; 38:5
        %22 = zext i32 i64 %17                  ; 38:5
        %23 = and i64 %21, 18446744069414584320 ; 38:5
        %24 = or i64 %23, %22                   ; 38:5
        store8 private %3, %24                  ; 38:5
        %25 = add i64 %3, 8                     ; 38:5
        store8 private %25, %1                  ; 38:5
        return
