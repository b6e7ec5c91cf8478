object #1 ready: 32 bytes (0 __size;0 __align;)
object #2 writer: proc writer
object #3 flag: 4 bytes
object #4 data: 4 bytes
object #5 seen: 4 bytes, ghost
object #6 mutex: 40 bytes (0 __data.__lock;4 __data.__count;8 __data.__owner;12 __data.__nusers;16 __data.__kind;20 __data.__spins;22 __data.__elision;24 __data.__list.__prev;32 __data.__list.__next;0 __size;0 __align;)
main main
proc main()
    loop 0: blocks 5 to 7, line 47
    block 0
        %11 = stack i64 4
        %12 = stack i64 40
        %13 = stack i64 8
        store4 %11, 7                           ; 34:9 value
        store4 %12, 0                           ; 38:5 own
        lock4 %12                               ; 39:5 own
        store4 #1, 0                            ; 40:5 ready
        %14 = create i64 #2, %11                ; 41:5 thread
        store8 private %13, %14                 ; 41:5 thread
        %15 = cas4 acq_rel/acquire weak #3, 3, 4 ; 42:9 flag
        %16 = eq i32 i1 %15, 3                  ; 42:9
        if %16 goto 2 else 1                    ; 42:9
    block 1
        goto 2
    block 2
        %17 = zext i1 i8 %16                    ; 42:9
        %18 = trunc i8 i1 %17                   ; 42:9
        if %18 goto 3 else 4                    ; 42:9
    block 3
        fence seq_cst                           ; 44:9
        goto 4
    block 4
        wait4 #1                                ; 45:5 ready
        %19 = load8 private %13                 ; 46:18 thread
        join %19                                ; 46:5
        atomic                                  ; 47:5
        goto 5
    block 5 in loop 0
        %20 = phi i32 4: 1, 7: 0                ; 47:5
        %21 = ne i32 i1 %20, 0                  ; 47:5
        if %21 goto 6 else 8                    ; 47:5
    block 6 in loop 0
        %22 = load4 volatile #4                 ; 49:16 data
        store4 ghost #5, %22                    ; 49:14 seen
        goto 7
    block 7 in loop 0
        end-atomic                              ; 47:5
        goto 5
    block 8
        %23 = load4 ghost #5                    ; 51:29 seen
        %24 = load4 ghost #5                    ; 52:5 seen
        %25 = eq i32 i1 %24, 7                  ; 52:5
        if %25 goto 10 else 9                   ; 52:5
    block 9
        fail "assertion failed: seen == 7"      ; 52:5
        return
    block 10
        goto 11
    block 11
        %26 = load4 seq_cst #3                  ; 53:12 flag
        %27 = and i32 %26, 4                    ; 53:17
        %28 = ne i32 i1 %27, 0                  ; 53:12
        %29 = zext i1 i64 %28                   ; 53:12
        %30 = select i32 %28, 1, 0              ; 53:12
        if %30 goto 12 else 13                  ; 53:5
    block 12
        fail "the program ended with a failing exit code" ; 53:5
        return
    block 13
        return %30
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
