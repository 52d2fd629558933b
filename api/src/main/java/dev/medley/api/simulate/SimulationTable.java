package dev.medley.api.simulate;

import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
import dev.medley.base.text.Units;
import dev.medley.plan.simulator.ScalingStudy.Row;
import dev.medley.record.report.ScalingReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows a simulation to people: a table in plain text, and a page with plots. */
public final class SimulationTable {
    private SimulationTable() {}

    /** What was simulated, then a table of each strategy. */
    public static List<String> lines(Simulation simulation) {
        List<String> lines = new ArrayList<>(about(simulation));
        for (String strategy : strategies(simulation)) {
            lines.add("");
            lines.addAll(table(simulation, strategy).text().lines().toList());
        }
        return lines;
    }

    /** Writes the page into a file and returns it; one that cannot be written is refused. */
    public static Path writeReport(Simulation simulation, Path file) {
        List<ScalingReport.Line> series = new ArrayList<>();
        for (String strategy : strategies(simulation)) {
            series.add(new ScalingReport.Line(strategy, points(simulation, strategy)));
        }
        String title = simulation.model() + " on more machines";
        return ScalingReport.write(
                file,
                new ScalingReport.Subject(title, about(simulation), simulation.currency()),
                series);
    }

    private static List<ScalingReport.Point> points(Simulation simulation, String strategy) {
        return rows(simulation, strategy).stream()
                .map(
                        row ->
                                new ScalingReport.Point(
                                        row.machines(),
                                        row.batch(),
                                        row.samplesPerSecond(),
                                        row.speedUp(),
                                        row.efficiency(),
                                        row.hours(),
                                        row.borderBytesPerSample(),
                                        row.betweenBytes(),
                                        row.insideBytes(),
                                        row.cost()))
                .toList();
    }

    private static List<String> about(Simulation simulation) {
        List<String> lines = new ArrayList<>();
        lines.add(
                say(
                        "model: %s, %,d parameters; %s",
                        simulation.model(), simulation.parameters(), simulation.length()));
        lines.add(
                say(
                        "machines: up to %,d, in the mix of the cluster file's %,d",
                        simulation.rows().stream().mapToInt(Row::machines).max().orElse(0),
                        simulation.machines()));
        lines.addAll(simulation.remarks());
        lines.add(
                "speed-up: over one machine of the mean speed; efficiency: part of the sum of all"
                        + " speeds; hours: of steps alone, the same samples for every strategy;"
                        + " bytes: that these samples move over all links between sites, or inside"
                        + " the site where there is one");
        return lines;
    }

    private static TextTable table(Simulation simulation, String strategy) {
        boolean isPriced = simulation.currency() != null;
        TextTable table =
                new TextTable()
                        .column(strategy, Align.LEFT)
                        .column("machines", Align.RIGHT)
                        .column("batch", Align.RIGHT)
                        .column("samples/s", Align.RIGHT)
                        .column("speed-up", Align.RIGHT)
                        .column("efficiency", Align.RIGHT)
                        .column("hours", Align.RIGHT)
                        .column("bytes", Align.RIGHT)
                        .column("bytes/sample between sites", Align.RIGHT);
        if (isPriced) {
            table.column("cost, " + simulation.currency(), Align.RIGHT);
        }
        for (Row row : rows(simulation, strategy)) {
            List<String> cells = new ArrayList<>();
            cells.add("");
            cells.add(Units.count(row.machines()));
            cells.add(Units.count(row.batch()));
            cells.add(rate(row.samplesPerSecond()));
            cells.add(say("%.2f", row.speedUp()));
            cells.add(Units.percent(row.efficiency()));
            cells.add(say(row.hours() < 10 ? "%.3f" : "%,.1f", row.hours()));
            cells.add(Units.bytes(row.border() == null ? row.insideBytes() : row.betweenBytes()));
            cells.add(
                    row.border() == null
                            ? "-"
                            : rate(row.borderBytesPerSample()) + " " + row.border());
            if (isPriced) {
                Double cost = row.cost();
                cells.add(cost == null ? "-" : say("%,.2f", cost));
            }
            table.row(cells);
        }
        return table;
    }

    private static List<Row> rows(Simulation simulation, String strategy) {
        return simulation.rows().stream().filter(row -> row.strategy().equals(strategy)).toList();
    }

    private static List<String> strategies(Simulation simulation) {
        return simulation.rows().stream().map(Row::strategy).distinct().toList();
    }

    private static String rate(double value) {
        return say(value >= 100 ? "%,.0f" : "%.1f", value);
    }

    private static String say(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
