package dev.medley.cli.terminal;

/** Names the exit codes with which the process ends. */
public final class ExitCode {
    /** Everything was done. */
    public static final int DONE = 0;

    /** Something failed that was not the user's input. */
    public static final int FAILED = 1;

    /** The user's input cannot be used. */
    public static final int INPUT = 2;

    /** Nobody expected it, and another try may do better; as sysexits.h has it. */
    public static final int UNEXPECTED = 70;

    /** The user interrupted; 128 + SIGINT. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
