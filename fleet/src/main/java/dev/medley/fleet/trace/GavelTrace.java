package dev.medley.fleet.trace;

import dev.medley.base.ConfigException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads jobs that were drawn by Gavel's generator: {@code
 * job_id,job_type,scale_factor,total_steps,v100_duration_s,unit_interarrival_to_next}.
 */
public final class GavelTrace {
    private static final List<String> COLUMNS =
            List.of(
                    "job_id",
                    "job_type",
                    "scale_factor",
                    "total_steps",
                    "v100_duration_s",
                    "unit_interarrival_to_next");

    private GavelTrace() {}

    /** Whether a header is that of such a file. */
    public static boolean isHeader(String line) {
        return Arrays.asList(line.split(",", -1)).equals(COLUMNS);
    }

    /**
     * Reads all jobs, packed by gzip or plain.
     *
     * @param meanS between two arrivals
     * @throws ConfigException naming file and line of what cannot be used
     */
    public static List<TraceJob> read(Path file, GavelRates rates, double meanS) {
        List<TraceJob> jobs = new ArrayList<>();
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(GavelRates.open(file), StandardCharsets.UTF_8))) {
            String header = lines.readLine();
            ConfigException.check(
                    header != null && isHeader(header),
                    "%s:1: begins with %s; a trace of Gavel's begins with %s",
                    file,
                    header,
                    String.join(",", COLUMNS));
            double arrivalS = 0;
            int number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                TraceLine read = new TraceLine(file, ++number, line, COLUMNS);
                read.require(
                        read.whole("job_id") == jobs.size(),
                        "has job_id "
                                + read.whole("job_id")
                                + " where "
                                + jobs.size()
                                + " comes next; a trace has no holes");
                int workers = (int) read.whole("scale_factor");
                double steps = Math.floor(read.number("total_steps"));
                TraceJob job =
                        read.made(
                                () ->
                                        new TraceJob(
                                                jobs.size(),
                                                read.word("job_type"),
                                                workers,
                                                0,
                                                Math.max(1, steps),
                                                rates.of(read.word("job_type"), workers)));
                jobs.add(job.at(arrivalS));
                double gap = read.number("unit_interarrival_to_next");
                read.require(gap >= 0, "goes back in time by " + gap);
                arrivalS += meanS * gap;
            }
        } catch (IOException e) {
            throw new ConfigException("%s: cannot be read: %s".formatted(file, e.getMessage()), e);
        }
        return jobs;
    }
}
