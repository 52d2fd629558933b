package dev.medley.examples;

import dev.medley.loop.feature.FeatureCode;
import dev.medley.loop.feature.FeatureColumn;
import dev.medley.loop.feature.FeatureTable;
import dev.medley.loop.feature.HistoryRow;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A feature of a loop: how many days in a row, this one among them, a customer has used what was
 * sold. A day that becomes known late counts for days that become known after it.
 */
public final class UsageStreak implements FeatureCode {
    @Override
    public List<FeatureColumn> columns() {
        return List.of(
                new FeatureColumn("customer", String.class),
                new FeatureColumn("day", LocalDate.class),
                new FeatureColumn(FeatureTable.KNOWN, Instant.class),
                new FeatureColumn(FeatureTable.DELETED, Boolean.class),
                new FeatureColumn("streak", Long.class));
    }

    @Override
    public Stream<List<@Nullable Object>> rows(Stream<HistoryRow> history) {
        Map<String, Set<LocalDate>> used = new HashMap<>();
        return history.map(row -> streak(row, used));
    }

    private static List<@Nullable Object> streak(
            HistoryRow row, Map<String, Set<LocalDate>> usedBy) {
        String customer = Objects.requireNonNull(row.text("customer"), "customer");
        LocalDate day = (LocalDate) Objects.requireNonNull(row.value("day"), "day");
        Double minutes = row.number("minutes");
        Set<LocalDate> used = usedBy.computeIfAbsent(customer, c -> new HashSet<>());
        if (minutes == null || minutes == 0) { // So it is, too, where the row is gone.
            used.remove(day);
        } else {
            used.add(day);
        }
        long streak = 0;
        for (LocalDate each = day; used.contains(each); each = each.minusDays(1)) {
            streak++;
        }
        return Arrays.asList(customer, day, row.knownAt(), row.isDeleted(), streak);
    }
}
