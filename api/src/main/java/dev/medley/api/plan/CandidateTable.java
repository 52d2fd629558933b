package dev.medley.api.plan;

import dev.medley.base.job.JobSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
import dev.medley.base.text.Units;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.efficiency.EfficiencyTable;
import dev.medley.plan.forecast.AutoChoice;
import dev.medley.plan.forecast.Candidate;
import dev.medley.plan.forecast.Forecast;
import dev.medley.plan.forecast.Forecaster;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.cluster.Origin;
import dev.medley.profile.cluster.Prices;
import dev.medley.profile.speed.StepTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The forecast of each strategy for a job, and the strategy that {@code auto} would take.
 *
 * @param machines that the figures are for, in words
 * @param ways the origin of the least known link between them
 * @param rows one for each candidate; the job's own strategy is one of them
 * @param leftOut names of those that auto does not take however good they are, by the reason
 * @param own name of the job's strategy; null where auto chooses
 * @param auto what auto would take and why
 * @param chosen name of the strategy that auto would take
 */
public record CandidateTable(
        String machines,
        Origin ways,
        List<Forecast> rows,
        Map<String, List<String>> leftOut,
        @Nullable String own,
        String auto,
        String chosen) {
    public CandidateTable {
        rows = List.copyOf(rows);
        leftOut = Collections.unmodifiableMap(new LinkedHashMap<>(leftOut));
    }

    /**
     * What the user says beside the job.
     *
     * @param cluster null for the job's own workers
     * @param prices before those of the cluster; null for those
     */
    public record Question(@Nullable PlanCluster cluster, @Nullable Prices prices) {
        public Question {
            prices = cluster == null ? prices : Prices.chosen(prices, cluster.prices());
        }

        /** Nothing beside the job. */
        public static final Question NONE = new Question(null, null);
    }

    /**
     * The table for a job on a cluster.
     *
     * @param sampleNs that a sample takes this machine
     * @param worth of samples in this job
     */
    static CandidateTable of(
            JobSpec job,
            ModelFacts facts,
            PlanCluster cluster,
            double sampleNs,
            EfficiencyTable worth,
            @Nullable Prices prices) {
        ClusterProfile profile = cluster.profile();
        List<StepTime> times = cluster.speeds().stream().map(s -> s.time(sampleNs)).toList();
        Forecaster forecaster = new Forecaster(facts, profile, times, worth, prices);
        StrategySpec strategy = job.strategy();
        int sites = profile.sites().size();
        List<Candidate> candidates = new ArrayList<>(Candidate.shown(strategy, sites));
        @Nullable String own = null;
        if (Candidate.isForeseen(strategy)) {
            Candidate mine = new Candidate(strategy);
            own = mine.name();
            String name = own;
            candidates.removeIf(c -> c.name().equals(name));
            candidates.add(candidates.isEmpty() || mine.hasRounds() ? candidates.size() : 0, mine);
        }
        List<Forecast> rows = forecaster.of(candidates);
        // The job's own strategy may be none that auto takes by itself.
        List<Forecast> choices = forecaster.of(Candidate.all(strategy, sites));
        AutoChoice choice = AutoChoice.of(choices, facts, forecaster.leastKnownWay());
        return new CandidateTable(
                machines(cluster),
                forecaster.leastKnownWay(),
                rows,
                leftOut(rows, facts),
                own,
                choice.why(),
                choice.chosen().name());
    }

    private static Map<String, List<String>> leftOut(List<Forecast> rows, ModelFacts facts) {
        Map<String, List<String>> leftOut = new LinkedHashMap<>();
        for (Forecast row : rows) {
            String why = AutoChoice.whyNot(row, facts);
            if (why != null) {
                leftOut.computeIfAbsent(why, reason -> new ArrayList<>()).add(row.name());
            }
        }
        return leftOut;
    }

    /** Line by line, for people. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "candidates: for %s, ways between them %s"
                        .formatted(machines, ways.name().toLowerCase(Locale.ROOT)));
        table().lines().map(line -> "  " + line).forEach(lines::add);
        lines.add(
                "  efficiency: what a sample is worth beside one of data-parallel; a guess until it"
                    + " is measured. effective: samples/s times efficiency, which auto compares. "
                        + (isAtOneSite()
                                ? "inside the site: bytes a sample, from worker to worker"
                                : "between sites: bytes a sample, over all links, and the busiest"
                                        + " of them")
                        + (own == null ? "" : ". *: the job's own strategy"));
        leftOut.forEach(
                (why, names) ->
                        lines.add("  auto leaves out, since %s: ".formatted(why) + join(names)));
        List<String> ofOwn = linkLines(own);
        if (!ofOwn.isEmpty()) {
            lines.add("own: %s; on each link".formatted(own));
            lines.addAll(ofOwn);
        }
        lines.add(auto);
        if (!chosen.equals(own)) {
            lines.addAll(linkLines(chosen));
        }
        return lines;
    }

    /** Whether nothing crosses a border, under whatever strategy. */
    private boolean isAtOneSite() {
        return rows.stream().allMatch(row -> row.traffic().links().isEmpty());
    }

    /** What each link between sites would carry under the strategy of that name. */
    private List<String> linkLines(@Nullable String name) {
        return rows.stream()
                .filter(row -> row.name().equals(name))
                .flatMap(row -> linkLines(row).stream())
                .toList();
    }

    private static List<String> linkLines(Forecast row) {
        Forecast.Spend budget = row.budget();
        return row.traffic().links().stream()
                .map(
                        link -> {
                            double bytes = link.bytesPerSample();
                            String whole =
                                    budget == null
                                            ? ""
                                            : ", %s for the budget"
                                                    .formatted(
                                                            Units.bytes(bytes * budget.samples()));
                            return say("  %s to %s: ", link.from(), link.to())
                                    + say("%,.0f bytes a sample%s", bytes, whole);
                        })
                .toList();
    }

    private String table() {
        boolean hasMoney = rows.stream().anyMatch(CandidateTable::hasMoney);
        TextTable table =
                new TextTable()
                        .column("strategy", Align.LEFT)
                        .column("samples/s", Align.RIGHT)
                        .column("efficiency", Align.LEFT)
                        .column("effective", Align.RIGHT)
                        .column("waiting", Align.RIGHT);
        if (isAtOneSite()) {
            table.column("inside the site", Align.RIGHT);
        } else {
            table.column("between sites", Align.RIGHT).column("busiest link", Align.RIGHT);
        }
        table.column("budget takes", Align.RIGHT);
        if (hasMoney) {
            table.column("costs", Align.RIGHT);
        }
        for (Forecast row : rows) {
            table.row(cells(row, hasMoney));
        }
        return table.text();
    }

    private List<String> cells(Forecast row, boolean hasMoney) {
        Forecast.Spend budget = row.budget();
        List<String> cells = new ArrayList<>();
        cells.add(row.name() + (row.name().equals(own) ? " *" : ""));
        cells.add(say("%,.0f", row.rate().samplesPerSecond()));
        cells.add(row.efficiency().words());
        cells.add(say("%,.0f", row.effectiveSamplesPerSecond()));
        cells.add(Units.percent(row.rate().waitShare()));
        Forecast.Traffic traffic = row.traffic();
        if (isAtOneSite()) {
            cells.add(say("%,.0f B", traffic.insideBytesPerSample()));
        } else {
            cells.add(say("%,.0f B", traffic.betweenBytesPerSample()));
            cells.add(say("%,.0f B", traffic.busiestBytesPerSample()));
        }
        cells.add(budget == null ? "" : Units.duration(budget.seconds() * 1e9));
        if (hasMoney) {
            cells.add(budget == null ? "" : money(budget));
        }
        return cells;
    }

    private static boolean hasMoney(Forecast row) {
        Forecast.Spend budget = row.budget();
        return budget != null && budget.money() != null;
    }

    private static String money(Forecast.Spend budget) {
        return say("%,.2f %s", budget.money(), budget.currency());
    }

    private static String machines(PlanCluster cluster) {
        List<Machine> machines = cluster.machines();
        Map<String, Map<String, Integer>> bySite = new LinkedHashMap<>();
        for (int i = 0; i < machines.size(); i++) {
            String kind = machines.get(i).name().replaceFirst("#\\d+$", "");
            bySite.computeIfAbsent(machines.get(i).site(), site -> new LinkedHashMap<>())
                    .merge(kind + cluster.speeds().get(i).words(), 1, Integer::sum);
        }
        List<String> sites = new ArrayList<>();
        bySite.forEach((site, counts) -> sites.add(site(site, counts)));
        return "%d machine%s (%s)"
                .formatted(
                        machines.size(), machines.size() == 1 ? "" : "s", String.join("; ", sites));
    }

    private static String site(String site, Map<String, Integer> counts) {
        List<String> kinds = new ArrayList<>();
        counts.forEach((kind, count) -> kinds.add(count == 1 ? kind : count + " x " + kind));
        return String.join(", ", kinds) + (site.isEmpty() ? "" : " at " + site);
    }

    /** Names have commas in them. */
    private static String join(List<String> names) {
        return String.join("; ", names);
    }

    private static String say(String format, @Nullable Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
