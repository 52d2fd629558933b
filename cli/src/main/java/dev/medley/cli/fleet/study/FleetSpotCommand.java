package dev.medley.cli.fleet.study;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
import dev.medley.cli.option.JsonOption;
import dev.medley.cli.option.Options;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.cli.terminal.Terminal;
import dev.medley.fleet.cost.PriceCatalogue;
import dev.medley.fleet.cost.market.LogTerms;
import dev.medley.fleet.cost.market.SpotLogs;
import dev.medley.fleet.cost.market.SpotMarket;
import dev.medley.fleet.cost.market.SpotSeries;
import dev.medley.fleet.cost.replay.SpotQuestion;
import dev.medley.fleet.cost.replay.SpotRow;
import dev.medley.fleet.cost.replay.SpotStudy;
import dev.medley.fleet.cost.replay.SpotSummary;
import dev.medley.fleet.cost.spot.SpotPolicies;
import dev.medley.fleet.cost.spot.SpotPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what jobs with deadlines would have cost on spot machines. */
@Command(
        name = "spot",
        header = "Say what jobs with deadlines would have cost on spot machines.",
        description = {
            "",
            "Plays jobs of several lengths and deadlines over a log of spot prices and"
                    + " availability,",
            "under several policies, beside what somebody who knew the whole log would have paid.",
            "Formats of logs, policies and what is modelled: docs/scheduling.md."
        },
        footer = {
            "",
            "Examples:",
            "  medley fleet spot logs/v100-2023-02",
            "  medley fleet spot logs/aws --type p3.2xlarge --prices cloud-gpus.csv --hours 8,24",
            "  medley fleet spot zone.json --on-demand 3.06 --spot-price 0.92 --policy"
                    + " expected-cost"
        })
public final class FleetSpotCommand extends Options implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();

    @Parameters(
            index = "0",
            paramLabel = "LOGS",
            description = "A folder of logs of one market, or one log.")
    private Path logs = Path.of("");

    @Option(
            names = "--type",
            paramLabel = "NAME",
            description = "The machine type, where the logs hold several, as in p3.2xlarge.")
    private String type = "";

    @Option(
            names = "--gpus",
            paramLabel = "NAME",
            description = "The GPUs whose availability is meant, as in '1 v100'.")
    private String gpus = "";

    @Option(
            names = "--machines",
            paramLabel = "N",
            description = "Machines that have to be up at once. Default: ${DEFAULT-VALUE}.")
    private int machines = 1;

    @Option(
            names = "--prices",
            paramLabel = "FILE",
            description = "A catalogue of prices, cloud-gpus.csv; --type is looked up there.")
    private @Nullable Path prices;

    @Option(
            names = "--on-demand",
            paramLabel = "PRICE",
            description = "On-demand price an hour, where the logs do not say it.")
    private double onDemand = Double.NaN;

    @Option(
            names = "--spot-price",
            paramLabel = "PRICE",
            description = "Spot price an hour, where the logs do not say it.")
    private double spotPrice = Double.NaN;

    @Option(
            names = "--policy",
            split = ",",
            paramLabel = "NAME",
            description = "Policies to compare; all if not said otherwise.")
    private List<String> policies = List.of();

    @Option(
            names = "--hours",
            split = ",",
            paramLabel = "H",
            description = "Lengths of jobs. Default: ${DEFAULT-VALUE}.")
    private List<Double> hours = List.of(8.0, 24.0, 48.0);

    @Option(
            names = "--slack",
            split = ",",
            paramLabel = "X",
            description = "Deadlines, as multiples of lengths. Default: ${DEFAULT-VALUE}.")
    private List<Double> slacks = List.of(1.1, 1.25, 1.5, 2.0);

    @Option(
            names = "--starts",
            paramLabel = "N",
            description = "Starts, evenly spread over the log. Default: ${DEFAULT-VALUE}.")
    private int starts = 20;

    @Option(
            names = "--watch-h",
            paramLabel = "H",
            description =
                    "Hours of the log seen before the first start. Default: ${DEFAULT-VALUE}.")
    private double watchH = 24;

    @Option(
            names = "--step-s",
            paramLabel = "S",
            description = "Seconds between decisions. Default: ${DEFAULT-VALUE}.")
    private double stepS = 300;

    @Option(
            names = "--restart-s",
            paramLabel = "S",
            description = "Seconds until a new machine computes. Default: ${DEFAULT-VALUE}.")
    private double restartS = 600;

    @Option(
            names = "--egress",
            paramLabel = "PRICE",
            description = "Price of moving a checkpoint to another region.")
    private double egress;

    @Option(names = "--each-zone", description = "Play each zone alone, in place of all together.")
    private boolean isEachZone;

    @Option(
            names = "--csv",
            paramLabel = "FILE",
            description = "Write a line for each job and policy; one that is there is added to.")
    private @Nullable Path csv;

    private final Terminal terminal;

    /** Prints to {@code terminal}. */
    public FleetSpotCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        check(Files.exists(logs), "%s: there is no such log", logs);
        List<SpotPolicy> asked =
                policies.isEmpty()
                        ? SpotPolicies.all()
                        : policies.stream().map(SpotPolicies::named).toList();
        SpotQuestion question =
                new SpotQuestion(
                        hours.stream().map(h -> h * 3600).toList(),
                        slacks,
                        starts,
                        watchH * 3600,
                        new SpotQuestion.Costs(stepS, restartS, egress));
        List<SpotRow> rows = new ArrayList<>();
        for (SpotMarket market : markets()) {
            terminal.live(market.name() + "…");
            rows.addAll(SpotStudy.rows(market, asked, question));
        }
        terminal.endLive();
        List<SpotSummary> summaries = SpotSummary.of(rows);
        if (!json.printed(terminal, summaries)) {
            table(summaries).text().lines().forEach(terminal::print);
        }
        if (csv != null) {
            write(csv, rows);
        }
        return ExitCode.DONE;
    }

    private List<SpotMarket> markets() {
        double perHour = onDemand;
        if (prices != null) {
            check(
                    !type.isEmpty(),
                    "--prices %s: say the type whose price is meant: --type",
                    prices);
            perHour =
                    PriceCatalogue.read(prices).onDemand(List.of(type)).getOrDefault(type, perHour);
        }
        SpotMarket market =
                SpotLogs.read(logs, new LogTerms(type, gpus, machines, perHour, spotPrice));
        List<SpotMarket> markets = new ArrayList<>();
        if (isEachZone) {
            for (SpotSeries zone : market.zones()) {
                markets.add(market.only(zone));
            }
            return markets;
        }
        return List.of(market);
    }

    private static TextTable table(List<SpotSummary> summaries) {
        TextTable table =
                new TextTable()
                        .column("policy", Align.LEFT)
                        .column("jobs", Align.RIGHT)
                        .column("mean cost", Align.RIGHT)
                        .column("over the optimum", Align.RIGHT)
                        .column("of all cost", Align.RIGHT)
                        .column("worst", Align.RIGHT)
                        .column("starts", Align.RIGHT)
                        .column("late", Align.RIGHT);
        for (SpotSummary one : summaries) {
            table.row(
                    List.of(
                            one.policy(),
                            String.valueOf(one.jobs()),
                            said("%.2f", one.meanCost()),
                            said("%.3f", one.meanOverOptimum()),
                            said("%.3f", one.costOverOptimum()),
                            said("%.2f", one.worstOverOptimum()),
                            said("%.1f", one.starts()),
                            String.valueOf(one.missed())));
        }
        return table;
    }

    private void write(Path file, List<SpotRow> rows) {
        StringBuilder text = new StringBuilder();
        if (!Files.exists(file)) {
            text.append(
                    "market,length_h,slack,start_step,policy,cost,optimum,end_h,late_h,starts,");
            text.append("spot_h,on_demand_h,waited_h\n");
        }
        for (SpotRow row : rows) {
            text.append(
                    said(
                            "%s,%.6g,%.6g,%d,%s,%.4f,%.4f,%.3f,%.3f,%d,%.3f,%.3f,%.3f\n",
                            row.market(),
                            row.lengthS() / 3600,
                            row.slack(),
                            row.firstStep(),
                            row.policy(),
                            row.outcome().cost(),
                            row.optimum(),
                            row.outcome().endS() / 3600,
                            row.outcome().missedByS() / 3600,
                            row.outcome().starts(),
                            row.outcome().spotS() / 3600,
                            row.outcome().onDemandS() / 3600,
                            row.outcome().waitedS() / 3600));
        }
        try {
            Files.writeString(
                    file,
                    text,
                    java.nio.file.StandardOpenOption.CREATE,
                    java.nio.file.StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new ConfigException(file + " cannot be written: " + e.getMessage(), e);
        }
        terminal.say("jobs: " + file);
    }

    private static String said(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
