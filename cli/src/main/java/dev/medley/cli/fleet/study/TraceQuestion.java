package dev.medley.cli.fleet.study;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.fleet.simulation.SimulationOptions;
import dev.medley.fleet.simulation.SizeKnowledge;
import dev.medley.fleet.trace.CsvTrace;
import dev.medley.fleet.trace.GavelRates;
import dev.medley.fleet.trace.GavelTrace;
import dev.medley.fleet.trace.TraceJob;
import dev.medley.fleet.view.MachineType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Holds which jobs of which trace are asked for.
 *
 * @param trace Gavel's if there are throughputs, Medley's own if not
 * @param ratePerHour of arrivals; null for those of the trace, 0 for all at once
 * @param first that counts
 * @param end the first that does not count any more
 */
record TraceQuestion(
        Path trace,
        @Nullable Path throughputs,
        @Nullable Double ratePerHour,
        long first,
        long end) {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})-(\\d{1,9})");

    static TraceQuestion of(
            Path trace, @Nullable Path throughputs, @Nullable String rate, @Nullable String jobs) {
        for (Path file : throughputs == null ? List.of(trace) : List.of(trace, throughputs)) {
            check(Files.isRegularFile(file), "%s: there is no such file", file);
        }
        Double ratePerHour = rate == null ? null : rate(rate);
        check(
                throughputs == null || ratePerHour != null,
                "%s has gaps without a unit; say --rate JOBS_PER_HOUR, or --rate 0 for all at once",
                trace);
        if (jobs == null) {
            return new TraceQuestion(trace, throughputs, ratePerHour, 0, Long.MAX_VALUE);
        }
        Matcher range = RANGE.matcher(jobs);
        check(range.matches(), "--jobs %s: the first and the last, as in 4000-4999", jobs);
        long first = Long.parseLong(range.group(1));
        long last = Long.parseLong(range.group(2));
        check(first <= last, "--jobs %s: the last comes before the first", jobs);
        return new TraceQuestion(trace, throughputs, ratePerHour, first, last + 1);
    }

    private static double rate(String text) {
        try {
            double rate = Double.parseDouble(text);
            check(rate >= 0 && rate <= 1e9, "--rate %s: jobs an hour, or 0 for all at once", text);
            return rate;
        } catch (NumberFormatException e) {
            throw new ConfigException("--rate %s is not a number".formatted(text), e);
        }
    }

    /** The jobs. Of those that come all at once, only those that count. */
    List<TraceJob> jobs(List<MachineType> types) {
        Double rate = ratePerHour;
        boolean atOnce = rate != null && rate == 0;
        List<TraceJob> jobs;
        if (throughputs != null && rate != null) {
            GavelRates rates =
                    GavelRates.read(throughputs, types.stream().map(MachineType::name).toList());
            jobs = GavelTrace.read(trace, rates, atOnce ? 0 : 3600 / rate);
        } else {
            jobs = CsvTrace.read(trace, types);
            double lastS = jobs.get(jobs.size() - 1).arrivalS();
            double perHour = lastS == 0 ? 0 : (jobs.size() - 1) * 3600 / lastS;
            if (rate != null) {
                double factor = atOnce ? 0 : perHour / rate;
                jobs = jobs.stream().map(job -> job.at(factor * job.arrivalS())).toList();
            }
        }
        List<TraceJob> asked =
                atOnce ? jobs.stream().filter(j -> first <= j.id() && j.id() < end).toList() : jobs;
        check(
                asked.stream().anyMatch(j -> first <= j.id() && j.id() < end),
                "--jobs: %s has jobs %d to %d",
                trace,
                jobs.get(0).id(),
                jobs.get(jobs.size() - 1).id());
        return asked;
    }

    SimulationOptions options(double roundS, double restartS) {
        return new SimulationOptions(
                roundS, restartS, throughputs != null, first, end, SizeKnowledge.DECLARED);
    }
}
