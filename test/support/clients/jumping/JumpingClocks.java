// Compiled beside an example, in whose package these names come before those of java.lang: the clocks
// of the example jump in its first pause.

class System {
  static final java.io.PrintStream out = java.lang.System.out, err = java.lang.System.err;
  static volatile boolean haveJumped = false;

  static long seconds(String variable) {
    return haveJumped ? Long.parseLong(getenv().get(variable)) : 0;
  }

  static long currentTimeMillis() {
    return java.lang.System.currentTimeMillis() + 1_000 * seconds("WALL_JUMP");
  }

  static long nanoTime() {
    return java.lang.System.nanoTime() + 1_000_000_000 * seconds("STEADY_JUMP");
  }

  static java.util.Map<String, String> getenv() {
    return java.lang.System.getenv();
  }

  static void exit(int code) {
    java.lang.System.exit(code);
  }
}

class Thread extends java.lang.Thread {
  Thread(Runnable work) {
    super(work);
  }

  public static void sleep(long milliseconds) throws InterruptedException {
    java.lang.Thread.sleep(milliseconds);
    System.haveJumped = true;
  }
}
