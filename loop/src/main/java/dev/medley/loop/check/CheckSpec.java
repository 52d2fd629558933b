package dev.medley.loop.check;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A check as it is written down; what a kind has no use for is null.
 *
 * @param check nulls, range, volume, freshness, unique, referential or allowed
 * @param columns one, or those of a key
 * @param severity warn or fail; null means fail
 * @param most a share of nulls, or an upper bound
 * @param maxAge such as 90s, 30m, 26h or 2d
 * @param target another table's column, as table.column
 */
public record CheckSpec(
        String check,
        @Nullable List<String> columns,
        @Nullable String severity,
        @Nullable Double least,
        @Nullable Double most,
        @Nullable String maxAge,
        @Nullable List<String> values,
        @Nullable String target) {
    private static final List<String> KINDS =
            List.of("nulls", "range", "volume", "freshness", "unique", "referential", "allowed");

    private static final double VOLUME_LEVEL = 0.001;

    /** The check that is meant; an error says what is wrong and what to write. */
    public DataCheck parsed() {
        Severity weight = severityOf();
        DataCheck parsed =
                switch (check) {
                    case "nulls" -> new DataCheck.Nulls(column(), most == null ? 0 : most, weight);
                    case "range" -> new DataCheck.Range(column(), least, most, weight);
                    case "volume" -> new DataCheck.Volume(VOLUME_LEVEL, weight);
                    case "freshness" ->
                            new DataCheck.Freshness(
                                    column(), millis(given("maxAge", maxAge)), weight);
                    case "unique" -> new DataCheck.Unique(given("columns", columns), weight);
                    case "referential" ->
                            new DataCheck.Referential(column(), given("target", target), weight);
                    case "allowed" ->
                            new DataCheck.Allowed(column(), given("values", values), weight);
                    default -> throw unknown("check", check, KINDS);
                };
        requireNothingElse();
        return parsed;
    }

    private Severity severityOf() {
        if (severity == null || severity.equals("fail")) {
            return Severity.FAIL;
        }
        if (severity.equals("warn")) {
            return Severity.WARN;
        }
        throw unknown("severity", severity, List.of("warn", "fail"));
    }

    private String column() {
        List<String> all = given("columns", columns);
        ConfigException.check(
                all.size() == 1,
                "check %s: %d columns %s: it looks at one; write a check for each",
                check,
                all.size(),
                all);
        return all.get(0);
    }

    private <T> T given(String name, @Nullable T value) {
        if (value == null) {
            throw new ConfigException("check %s: it needs %s".formatted(check, name));
        }
        return value;
    }

    private void requireNothingElse() {
        requireFor(!check.equals("volume"), "columns", columns);
        requireFor(check.equals("range"), "least", least);
        requireFor(check.equals("range") || check.equals("nulls"), "most", most);
        requireFor(check.equals("freshness"), "maxAge", maxAge);
        requireFor(check.equals("allowed"), "values", values);
        requireFor(check.equals("referential"), "target", target);
    }

    private void requireFor(boolean isOfKind, String name, @Nullable Object value) {
        ConfigException.check(
                isOfKind || value == null,
                "check %s: it has no use for %s %s: leave it out",
                check,
                name,
                value);
    }

    private static long millis(String age) {
        String number = age.replaceFirst("[a-z]+$", "").strip();
        Long unit =
                switch (age.strip().replaceFirst("^[0-9.]+\\s*", "")) {
                    case "s" -> 1000L;
                    case "m", "min" -> 60_000L;
                    case "h" -> 3_600_000L;
                    case "d" -> 86_400_000L;
                    default -> null;
                };
        if (unit == null || !number.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
            throw new ConfigException(
                    String.format(
                            Locale.ROOT,
                            "maxAge %s: write a number and s, m, h or d, such as 90s or 26h",
                            age));
        }
        return Math.round(Double.parseDouble(number) * unit);
    }

    private static ConfigException unknown(String what, String word, List<String> known) {
        return new ConfigException(
                "there is no %s %s; %sthere are %s"
                        .formatted(
                                what,
                                word,
                                DidYouMean.of(word, known)
                                        .map(near -> "did you mean %s? ".formatted(near))
                                        .orElse(""),
                                String.join(", ", known)));
    }
}
