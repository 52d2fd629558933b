package dev.medley.base;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reports that the user's input cannot be used. Thrown before anything starts; the command line
 * prints only the message, without a stack trace, and exits with code 2.
 *
 * <p>The message says what is wrong, where, the value that was found, and what to do about it.
 */
public class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A complete sentence for the user. */
    public ConfigException(String message) {
        super(message);
    }

    /** A complete sentence for the user, with the failure that led to it for the log. */
    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * An error at a place of a file, in the form editors understand: {@code file:line:column:
     * message}.
     */
    public static ConfigException at(String file, int line, int column, String message) {
        return new ConfigException(
                String.format(Locale.ROOT, "%s:%d:%d: %s", file, line, column, message));
    }

    /**
     * Throws unless {@code holds}; the message is a {@link String#format} of both values and the
     * remedy.
     */
    public static void check(boolean holds, String format, @Nullable Object... values) {
        if (!holds) {
            throw new ConfigException(String.format(Locale.ROOT, format, values));
        }
    }
}
