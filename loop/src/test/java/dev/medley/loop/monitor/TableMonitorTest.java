package dev.medley.loop.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A whole table alarms as rarely as promised, and names the column that has changed. */
@Tag("property")
class TableMonitorTest {
    private static final int COLUMNS = 12;

    @Test
    void shouldAlarmRarelyAsAWhole() {
        int alarms = 0;
        for (int run = 0; run < 40; run++) {
            RandomGenerator random = Seeds.generator(21, run);
            TableMonitor monitor = monitor(random, run);
            boolean isAlarm = false;
            for (int window = 0; window < 20; window++) {
                isAlarm |= monitor.add(rows(random, 40, 0), Map.of()).get(0).standing().isAlarm();
            }
            alarms += isAlarm ? 1 : 0;
        }
        assertThat(alarms).isLessThanOrEqualTo(2);
    }

    @Test
    void shouldNameTheColumnAndGoOnFromJson() {
        RandomGenerator random = Seeds.generator(22);
        TableMonitor monitor = monitor(random, 1);
        List<TableMonitor.ColumnStanding> standings = List.of();
        for (int window = 0; window < 10; window++) {
            monitor =
                    new TableMonitor(
                            Json.parse(Json.bytes(monitor.state()), TableMonitor.State.class));
            standings = monitor.add(rows(random, 40, 1), Map.of());
        }
        assertThat(standings.get(0).column()).isEqualTo("x03");
        assertThat(standings.get(0).standing().isAlarm()).isTrue();
        assertThat(standings.get(1).standing().isAlarm()).isFalse();
    }

    @Test
    void shouldRefuseColumnsThatItDoesNotWatch() {
        RandomGenerator random = Seeds.generator(23);
        TableMonitor monitor = monitor(random, 1);
        Map<String, double[]> rows = rows(random, 5, 0);
        rows.put("x3", new double[5]);
        assertThatThrownBy(() -> monitor.add(rows, Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("called x3 is watched; did you mean x0");
        rows.remove("x3");
        rows.remove("x05");
        assertThatThrownBy(() -> monitor.add(rows, Map.of()))
                .hasMessageContaining("the window lacks the numbers x05");
    }

    private static TableMonitor monitor(RandomGenerator random, long seed) {
        Map<String, NumberReference> references = new TreeMap<>();
        rows(random, 300, 0)
                .forEach((name, rows) -> references.put(name, NumberReference.of(rows, seed)));
        return new TableMonitor(references, Map.of(), MonitorOptions.defaults().seeded(seed));
    }

    /** Columns that hang together, of which one is shifted. */
    private static Map<String, double[]> rows(RandomGenerator random, int count, double shift) {
        double[] common = new double[count];
        Arrays.setAll(common, i -> random.nextGaussian());
        Map<String, double[]> rows = new TreeMap<>();
        for (int column = 0; column < COLUMNS; column++) {
            double[] values = new double[count];
            double own = column == 3 ? shift : 0;
            Arrays.setAll(values, i -> common[i] + random.nextGaussian() + own);
            rows.put("x%02d".formatted(column), values);
        }
        return rows;
    }
}
