package dev.medley.serving.log;

import dev.medley.serving.ServingFailure;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names columns whose values are written nowhere, however they are spelt: not in a log, and not in
 * what a caller is told.
 *
 * <p>Thread: any.
 */
public final class Masks {
    /** Nothing is masked. */
    public static final Masks NONE = new Masks(Set.of());

    /** What stands in the place of a value. */
    public static final String MASKED = "***";

    /** How a failure names the place of a value that it tells. */
    private static final Pattern PLACE =
            Pattern.compile(
                    "((?:row \\d+, )?(?:column|input) '(.*?)'(?:, (?:element|text) \\d+)?): .*",
                    Pattern.DOTALL);

    /** A failure that tells values without their columns. */
    private static final Pattern SERIES =
            Pattern.compile("(row \\d+: training had no series) .*", Pattern.DOTALL);

    /** A name of the caller's, which is a value where CSV has no line of names. */
    private static final Pattern NEAR = Pattern.compile(" \\(there is '.*?'\\)", Pattern.DOTALL);

    private final Set<String> names = new HashSet<>();

    /** Of these columns. */
    public Masks(Set<String> columns) {
        columns.forEach(column -> names.add(column.strip().toLowerCase(Locale.ROOT)));
    }

    /** Whether nothing is masked. */
    public boolean isEmpty() {
        return names.isEmpty();
    }

    private boolean hides(String column) {
        return names.contains(column.strip().toLowerCase(Locale.ROOT));
    }

    /** The values of a row by column, without what is masked. */
    Map<String, @Nullable Object> masked(Map<String, @Nullable Object> row) {
        if (isEmpty()) {
            return row;
        }
        Map<String, @Nullable Object> masked = new LinkedHashMap<>();
        row.forEach(
                (name, value) -> masked.put(name, isHidden(name, value) ? MASKED : inside(value)));
        return masked;
    }

    /** What is told by column itself, as contributions are. */
    private @Nullable Object inside(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> byColumn)) {
            return value;
        }
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        byColumn.forEach((name, each) -> named.put(String.valueOf(name), each));
        return masked(named);
    }

    /** An array of several columns may hold any of them. */
    private boolean isHidden(String name, @Nullable Object value) {
        return hides(name) || value instanceof List;
    }

    /**
     * The failure itself, without values that are masked. What is our own fault loses its message:
     * who knows what it quotes.
     */
    public Throwable masked(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (isEmpty()) {
            return cause;
        }
        if (cause instanceof ServingFailure failure) {
            return new ServingFailure(
                    failure.kind(), sentence(failure.sentence()), failure.retryAfterS());
        }
        if (!cause.getClass().getName().startsWith("dev.medley.")
                && !cause.getClass().getName().startsWith("java.")) {
            return cause; // Of the server's library, which has its own answers.
        }
        IllegalStateException bare =
                new IllegalStateException(cause.getClass().getName() + ", its message is masked");
        bare.setStackTrace(cause.getStackTrace());
        return bare;
    }

    private String sentence(String sentence) {
        Matcher place = PLACE.matcher(sentence);
        if (place.matches() && (hides(place.group(2)) || isOfMany(place.group(2)))) {
            return place.group(1) + ": the value does not fit; it is masked";
        }
        Matcher series = SERIES.matcher(sentence);
        return series.matches()
                ? series.group(1) + " that is so called"
                : NEAR.matcher(sentence).replaceAll("");
    }

    private static boolean isOfMany(String input) {
        return input.equals("features") || input.equals("past") || input.equals("known");
    }
}
