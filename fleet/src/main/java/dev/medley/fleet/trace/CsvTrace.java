package dev.medley.fleet.trace;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import dev.medley.fleet.view.MachineType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads Medley's own trace: a CSV file with one job a line, by arrival. Columns: {@code job} (a
 * whole number that grows), {@code arrival_s}, {@code kind}, {@code workers} (machines of one type
 * that it needs), {@code work}, and {@code rate_TYPE} for each type of the fleet: work a second
 * with that many workers, 0 where it does not run.
 */
public final class CsvTrace {
    private static final List<String> OWN = List.of("job", "arrival_s", "kind", "workers", "work");

    private CsvTrace() {}

    /**
     * The jobs of a file, plain or packed by gzip.
     *
     * @throws ConfigException naming file and line of what cannot be used
     */
    public static List<TraceJob> read(Path file, List<MachineType> types) {
        List<String> wanted = new ArrayList<>(OWN);
        types.forEach(type -> wanted.add("rate_" + type.name()));
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(GavelRates.open(file), StandardCharsets.UTF_8))) {
            String header = lines.readLine();
            List<String> columns =
                    Arrays.stream((header == null ? "" : header).split(",", -1))
                            .map(String::strip)
                            .toList();
            requireColumns(file, columns, wanted);
            List<TraceJob> jobs = new ArrayList<>();
            int number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                jobs.add(job(new TraceLine(file, ++number, line, columns), types, jobs));
            }
            ConfigException.check(!jobs.isEmpty(), "%s:2: holds no job", file);
            return jobs;
        } catch (IOException e) {
            throw new ConfigException("%s cannot be read: %s".formatted(file, e), e);
        }
    }

    private static void requireColumns(Path file, List<String> columns, List<String> wanted) {
        for (String column : wanted) {
            String near =
                    DidYouMean.of(column, columns)
                            .map(" '%s' is there, but not that name;"::formatted)
                            .orElse("");
            ConfigException.check(
                    columns.contains(column),
                    "%s:1: there is no column '%s';%s a trace has %s",
                    file,
                    column,
                    near,
                    String.join(",", wanted));
        }
        for (String column : columns) {
            String near =
                    DidYouMean.of(column, wanted).map("; did you mean %s?"::formatted).orElse("");
            ConfigException.check(
                    wanted.contains(column) || column.startsWith("rate_"),
                    "%s:1: there is a column '%s'%s",
                    file,
                    column,
                    near);
        }
    }

    private static TraceJob job(TraceLine line, List<MachineType> types, List<TraceJob> before) {
        TraceJob last = before.isEmpty() ? null : before.get(before.size() - 1);
        long id = line.whole("job");
        line.require(
                last == null || id > last.id(),
                "job %d comes after job %s; numbers grow"
                        .formatted(id, last == null ? "" : last.id()));
        double arrivalS = line.number("arrival_s");
        line.require(
                last == null || arrivalS >= last.arrivalS(),
                "arrival_s is %s, before the line above; sort the lines by it"
                        .formatted(line.word("arrival_s")));
        long workers = line.whole("workers");
        line.require(workers >= 1, "workers is %d; give 1 or more".formatted(workers));
        double[] rates = new double[types.size()];
        int most = 0;
        for (int type = 0; type < rates.length; type++) {
            rates[type] = line.number("rate_" + types.get(type).name());
            most = rates[type] > 0 ? Math.max(most, types.get(type).machines()) : most;
        }
        line.require(
                most >= workers,
                "the job wants %d machines of one type, and the fleet has at most %d that run it"
                        .formatted(workers, most));
        return line.made(
                () ->
                        new TraceJob(
                                id,
                                line.word("kind"),
                                (int) workers,
                                arrivalS,
                                line.number("work"),
                                rates));
    }
}
