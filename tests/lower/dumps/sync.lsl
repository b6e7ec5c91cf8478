object #1 ready: 32 bytes (0 __size;0 __align;)
object #2 writer: proc writer
object #3 flag: 4 bytes
object #4 data: 4 bytes
object #5 seen: 4 bytes, ghost
object #6 mutex: 40 bytes (0 __data.__lock;4 __data.__count;8 __data.__owner;12 __data.__nusers;16 __data.__kind;20 __data.__spins;22 __data.__elision;24 __data.__list.__prev;32 __data.__list.__next;0 __size;0 __align;)
main main
proc main()
    loop 0: blocks 5 to 7, line 44
    block 0
        %11 = stack i64 4
        %12 = stack i64 8
        store4 %11, 7                           ; 34:9 value
        store4 #1, 0                            ; 37:5 ready
        %13 = create i64 #2, %11                ; 38:5 thread
        store8 private %12, %13                 ; 38:5 thread
        %14 = cas4 acq_rel/acquire weak #3, 3, 4 ; 39:9 flag
        %15 = eq i32 i1 %14, 3                  ; 39:9
        if %15 goto 2 else 1                    ; 39:9
    block 1
        goto 2
    block 2
        %16 = zext i1 i8 %15                    ; 39:9
        %17 = trunc i8 i1 %16                   ; 39:9
        if %17 goto 3 else 4                    ; 39:9
    block 3
        fence seq_cst                           ; 41:9
        goto 4
    block 4
        wait4 #1                                ; 42:5 ready
        %18 = load8 private %12                 ; 43:18 thread
        join %18                                ; 43:5
        atomic                                  ; 44:5
        goto 5
    block 5 in loop 0
        %19 = phi i32 4: 1, 7: 0                ; 44:5
        %20 = ne i32 i1 %19, 0                  ; 44:5
        if %20 goto 6 else 8                    ; 44:5
    block 6 in loop 0
        %21 = load4 volatile #4                 ; 46:16 data
        store4 ghost #5, %21                    ; 46:14 seen
        goto 7
    block 7 in loop 0
        end-atomic                              ; 44:5
        goto 5
    block 8
        %22 = load4 ghost #5                    ; 48:29 seen
        %23 = load4 ghost #5                    ; 49:5 seen
        %24 = eq i32 i1 %23, 7                  ; 49:5
        if %24 goto 10 else 9                   ; 49:5
    block 9
        fail "assertion failed: seen == 7"      ; 49:5
        return
    block 10
        goto 11
    block 11
        %25 = load4 seq_cst #3                  ; 50:12 flag
        %26 = and i32 %25, 4                    ; 50:17
        %27 = ne i32 i1 %26, 0                  ; 50:12
        %28 = zext i1 i64 %27                   ; 50:12
        %29 = select i32 %27, 1, 0              ; 50:12
        if %29 goto 12 else 13                  ; 50:5
    block 12
        fail "the program ended with a failing exit code" ; 50:5
        return
    block 13
        return %29
proc writer(%0) address-taken
    block 0
        lock4 #6                                ; 20:5 mutex
        %8 = load4 %0                           ; 21:12 *argument
        store4 volatile #4, %8                  ; 21:10 data
        unlock4 #6                              ; 22:5 mutex
        fence ss                                ; 23:5
        store4 release #3, 1                    ; 24:5 flag
        %9 = rmw4 add seq_cst #3, 2             ; 25:5 flag
        fence full                              ; 26:5
        post4 #1                                ; 28:5 ready
        return 0
