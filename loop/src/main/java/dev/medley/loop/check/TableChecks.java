package dev.medley.loop.check;

import dev.medley.base.text.DidYouMean;
import dev.medley.base.text.Units;
import dev.medley.loop.check.CheckResult.Outcome;
import dev.medley.loop.check.ColumnFacts.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Judges facts by checks. The same facts give the same results; nothing is read and no clock is
 * asked.
 */
public final class TableChecks {
    /** Clocks of two machines may differ by this without a word. */
    private static final long CLOCKS_DIFFER_MILLIS = 60_000;

    private static final int SHOWN = 3;

    private TableChecks() {}

    /** The results in the checks' order. */
    public static List<CheckResult> judge(List<DataCheck> checks, TableFacts facts) {
        return checks.stream().map(check -> judge(check, facts)).toList();
    }

    /** The result of one check. A column that is not there is one that does not hold. */
    public static CheckResult judge(DataCheck check, TableFacts facts) {
        for (String column : check.columns()) {
            if (!facts.columns().containsKey(column)) {
                return result(check, false, unknown(column, facts));
            }
        }
        if (check instanceof DataCheck.Nulls nulls) {
            return judge(nulls, facts);
        }
        if (check instanceof DataCheck.Range range) {
            return judge(range, of(range.column(), facts));
        }
        if (check instanceof DataCheck.Volume volume) {
            return judge(volume, facts);
        }
        if (check instanceof DataCheck.Freshness freshness) {
            return judge(freshness, facts);
        }
        if (check instanceof DataCheck.Unique unique) {
            return judge(unique, facts);
        }
        if (check instanceof DataCheck.Referential referential) {
            return judge(referential, of(referential.column(), facts));
        }
        DataCheck.Allowed allowed = (DataCheck.Allowed) check;
        return judge(allowed, of(allowed.column(), facts));
    }

    private static CheckResult judge(DataCheck.Nulls check, TableFacts facts) {
        long nulls = of(check.column(), facts).nulls();
        if (facts.rows() == 0) {
            return unjudged(check, "there are no rows, of which none can be missing");
        }
        double share = (double) nulls / facts.rows();
        return result(
                check,
                share <= check.mostShare(),
                "%s is missing in %s of %s rows (%s); at most %s may be"
                        .formatted(
                                check.column(),
                                Units.count(nulls),
                                Units.count(facts.rows()),
                                Units.percent(share),
                                Units.percent(check.mostShare())));
    }

    private static CheckResult judge(DataCheck.Range check, ColumnFacts facts) {
        Double least = facts.least();
        Double most = facts.most();
        if (least == null || most == null) {
            return unjudged(check, check.column() + " has no numbers to judge");
        }
        boolean holds =
                (check.least() == null || least >= check.least())
                        && (check.most() == null || most <= check.most());
        return result(
                check,
                holds,
                "%s lies between %s and %s; it may between %s and %s"
                        .formatted(
                                check.column(),
                                number(least),
                                number(most),
                                bound(check.least()),
                                bound(check.most())));
    }

    private static CheckResult judge(DataCheck.Volume check, TableFacts facts) {
        VolumeRange range = VolumeRange.of(facts.earlierRows(), check.level());
        if (range.windows() < VolumeRange.FEWEST) {
            return unjudged(
                    check,
                    "%s rows; %d earlier windows are too few to say whether that is usual: it takes %d"
                            .formatted(
                                    Units.count(facts.rows()),
                                    range.windows(),
                                    VolumeRange.FEWEST));
        }
        boolean isEmpty =
                facts.rows() == 0 && facts.earlierRows().stream().allMatch(rows -> rows > 0);
        boolean holds =
                facts.rows() >= Math.floor(range.least())
                        && facts.rows() <= Math.ceil(range.most())
                        && !isEmpty;
        return result(
                check,
                holds,
                "%s rows; by the spread of %d earlier windows %s to %s are usual"
                        .formatted(
                                Units.count(facts.rows()),
                                range.windows(),
                                Units.count((long) Math.floor(range.least())),
                                Units.count((long) Math.ceil(range.most()))));
    }

    private static CheckResult judge(DataCheck.Freshness check, TableFacts facts) {
        Long newest = of(check.column(), facts).newestMillis();
        if (newest == null) {
            return result(
                    check,
                    false,
                    check.column() + " has no time in any row: nothing says how old they are");
        }
        long age = facts.nowMillis() - newest;
        if (age < -CLOCKS_DIFFER_MILLIS) {
            return result(
                    check,
                    false,
                    "the newest %s is %s in the future: a clock or a time zone is wrong, and the age of"
                                    .formatted(check.column(), time(-age))
                            + " rows cannot be told");
        }
        return result(
                check,
                age <= check.mostAgeMillis(),
                "the newest %s is %s old; at most %s is agreed"
                        .formatted(
                                check.column(),
                                time(Math.max(0, age)),
                                time(check.mostAgeMillis())));
    }

    private static CheckResult judge(DataCheck.Unique check, TableFacts facts) {
        String key = String.join(", ", check.columns());
        Found repeated = facts.repeated().get(check.columns());
        if (repeated == null) {
            return unjudged(check, "nobody counted rows that repeat " + key);
        }
        return result(
                check,
                repeated.rows() == 0,
                "%s of %s rows repeat an earlier row's %s%s; none may"
                        .formatted(
                                Units.count(repeated.rows()),
                                Units.count(facts.rows()),
                                key,
                                example(repeated)));
    }

    private static CheckResult judge(DataCheck.Referential check, ColumnFacts facts) {
        Found orphans = facts.orphans().get(check.target());
        if (orphans == null) {
            return unjudged(
                    check,
                    "nobody looked for values of %s in %s"
                            .formatted(check.column(), check.target()));
        }
        return result(
                check,
                orphans.rows() == 0,
                "%s rows have a %s that %s does not have%s; none may"
                        .formatted(
                                Units.count(orphans.rows()),
                                check.column(),
                                check.target(),
                                example(orphans)));
    }

    private static CheckResult judge(DataCheck.Allowed check, ColumnFacts facts) {
        Map<String, Long> others = new TreeMap<>(facts.values());
        others.keySet().removeAll(check.values());
        List<String> shown = new ArrayList<>();
        others.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(SHOWN)
                .forEach(other -> shown.add(said(other.getKey(), other.getValue(), check)));
        long rows = others.values().stream().mapToLong(Long::longValue).sum();
        return result(
                check,
                others.isEmpty(),
                others.isEmpty()
                        ? "all values of %s are allowed".formatted(check.column())
                        : "%s rows have one of %d values of %s that are not allowed: %s"
                                .formatted(
                                        Units.count(rows),
                                        others.size(),
                                        check.column(),
                                        String.join(", ", shown)));
    }

    private static String said(String value, long rows, DataCheck.Allowed check) {
        return "'%s' (%s rows%s)"
                .formatted(
                        value,
                        Units.count(rows),
                        DidYouMean.of(value, check.values())
                                .map(near -> "; did they mean '%s'?".formatted(near))
                                .orElse(""));
    }

    private static String unknown(String column, TableFacts facts) {
        List<String> columns = facts.columns().keySet().stream().sorted().toList();
        return "there is no column %s; %sthere are %s"
                .formatted(
                        column,
                        DidYouMean.of(column, columns)
                                .map(near -> "did you mean %s? ".formatted(near))
                                .orElse(""),
                        columns.isEmpty() ? "none" : String.join(", ", columns));
    }

    private static ColumnFacts of(String column, TableFacts facts) {
        ColumnFacts found = facts.columns().get(column);
        if (found == null) {
            throw new IllegalStateException("column " + column + " was looked for before");
        }
        return found;
    }

    private static CheckResult result(DataCheck check, boolean holds, String why) {
        Outcome broken = check.severity() == Severity.FAIL ? Outcome.FAILED : Outcome.WARNED;
        return new CheckResult(name(check), holds ? Outcome.PASSED : broken, why);
    }

    private static CheckResult unjudged(DataCheck check, String why) {
        return new CheckResult(name(check), Outcome.UNJUDGED, why);
    }

    private static String name(DataCheck check) {
        String kind = check.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        return check.columns().isEmpty()
                ? kind
                : kind + " of " + String.join(", ", check.columns());
    }

    private static String example(Found found) {
        return found.rows() == 0 || found.example().isEmpty()
                ? ""
                : ", such as '%s'".formatted(found.example());
    }

    private static String bound(@Nullable Double bound) {
        return bound == null ? "anything" : number(bound);
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    private static String time(long millis) {
        return Units.duration(millis * 1e6);
    }
}
