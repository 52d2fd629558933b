package dev.medley.cli.terminal;

import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The abilities of the screen that a command writes to.
 *
 * @param isLive whether standard error is a terminal that understands cursor movements
 * @param showsResults whether standard output is a terminal, of whatever kind
 * @param hasColours whether both streams go to a terminal whose user wants colours
 * @param columns of a line
 */
public record Screen(boolean isLive, boolean showsResults, boolean hasColours, int columns) {
    /** A file, a pipe, a test. */
    public static final Screen NONE = new Screen(false, false, false, 80);

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /** What this process has. {@code NO_COLOR} and {@code TERM=dumb} are respected. */
    public static Screen detect() {
        Map<String, String> env = System.getenv();
        boolean isDumb = "dumb".equals(env.get("TERM"));
        boolean isLive = isTerminal("2") && !isDumb;
        boolean showsResults = isTerminal("1");
        boolean hasColours = isLive && showsResults && !env.containsKey("NO_COLOR");
        int columns = isLive ? columns(env) : NONE.columns();
        return new Screen(isLive, showsResults, hasColours, columns);
    }

    /**
     * Whether a stream goes to a terminal. Linux says so by the name behind the descriptor, stream
     * by stream. Elsewhere the console answers for all streams together; from JDK 22 on there is a
     * console also without a terminal, which then says so itself.
     */
    @SuppressWarnings("SystemConsoleNull") // Both cases are handled.
    private static boolean isTerminal(String descriptor) {
        if (Files.isDirectory(DESCRIPTORS)) {
            try {
                String target = Files.readSymbolicLink(DESCRIPTORS.resolve(descriptor)).toString();
                return target.matches("/dev/(pts/\\d+|tty.*|console)");
            } catch (IOException e) {
                return false;
            }
        }
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            Object answer = Console.class.getMethod("isTerminal").invoke(console);
            return Boolean.TRUE.equals(answer);
        } catch (ReflectiveOperationException e) {
            return true; // Before JDK 22 a console is a terminal.
        }
    }

    private static int columns(Map<String, String> env) {
        String told = env.getOrDefault("COLUMNS", "");
        if (told.matches("\\d{1,4}")) {
            return Math.max(20, Integer.parseInt(told));
        }
        try {
            Process stty =
                    new ProcessBuilder("stty", "size")
                            .redirectInput(new java.io.File("/dev/tty"))
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            String size =
                    new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                            .strip();
            stty.waitFor();
            return size.matches("\\d+ [1-9]\\d*")
                    ? Integer.parseInt(size.substring(size.indexOf(' ') + 1))
                    : 80;
        } catch (IOException e) {
            return NONE.columns();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return NONE.columns();
        }
    }
}
