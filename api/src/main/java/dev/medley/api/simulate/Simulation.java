package dev.medley.api.simulate;

import dev.medley.api.job.ClusterFile;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.base.job.JobSpec;
import dev.medley.base.strategy.DivisionSpec;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StrategySpec.Stragglers;
import dev.medley.base.strategy.StrategySpec.Stragglers.Policy;
import dev.medley.base.strategy.StreamSpec;
import dev.medley.base.strategy.TrafficSpec;
import dev.medley.base.text.Words;
import dev.medley.plan.simulator.ScalingStudy;
import dev.medley.plan.simulator.ScalingStudy.Candidate;
import dev.medley.plan.simulator.ScalingStudy.Growth;
import dev.medley.plan.simulator.ScalingStudy.Row;
import dev.medley.plan.source.NamedBorders;
import dev.medley.plan.strategy.StrategyModels;
import dev.medley.profile.cluster.Prices;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The simulated speed and cost of strategies on growing numbers of machines, before any of them is
 * rented.
 *
 * @param model its name
 * @param parameters numbers that it consists of
 * @param sample what is counted as one
 * @param length of the training in words
 * @param machines of the cluster file
 * @param currency of costs; null where no prices are given
 * @param remarks on what was simulated, one sentence each
 * @param rows a row for each strategy and number of machines
 */
public record Simulation(
        String model,
        long parameters,
        String sample,
        String length,
        int machines,
        @Nullable String currency,
        List<String> remarks,
        List<Row> rows) {
    /** As many machines as a cluster is simulated with where nothing else is asked for. */
    public static final List<Integer> USUAL_NUMBERS =
            List.of(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024);

    public Simulation {
        remarks = List.copyOf(remarks);
        rows = List.copyOf(rows);
    }

    /**
     * What is asked.
     *
     * @param numbers of machines
     * @param growth of the batch with them
     * @param prices in place of those of the cluster file; null for those
     */
    public record Question(List<Integer> numbers, Growth growth, @Nullable Prices prices) {
        public Question {
            numbers = List.copyOf(numbers);
        }
    }

    /**
     * A job on the machines of a cluster file. Its data are prepared, as sizes of the model follow
     * from them, or assumed where they are not here, which a remark says; nothing is trained.
     */
    public static Simulation of(
            Path cluster, JobSpec job, Question question, RunProgress progress) {
        ClusterFile file = ClusterFile.read(cluster, Map.of());
        SimulatedModel model = SimulatedModel.of(job, RunOptions.defaults(), progress);
        return simulated(file, model, job.strategy(), job.train().batch(), question, job.seed());
    }

    /**
     * The job of a recorded run on more machines like its own: as fast as they were in it, with the
     * links that it measured.
     *
     * @param run folder of a run on machines that joined
     */
    public static Simulation of(Path run, Question question, RunProgress progress) {
        MeasuredCluster measured = MeasuredCluster.of(run);
        JobSpec job = measured.job();
        ClusterFile file = new ClusterFile(measured.cluster(), null, Map.of());
        SimulatedModel model = SimulatedModel.of(job, RunOptions.defaults(), progress);
        return simulated(file, model, job.strategy(), job.train().batch(), question, job.seed())
                .remarking(
                        "speeds of machines, how far they scatter, and links are as %s measured them"
                                .formatted(run));
    }

    /** A well-known model on the machines of a cluster file. */
    public static Simulation of(Path cluster, ModelProfile profile, Question question) {
        ClusterFile file = ClusterFile.read(cluster, profile.times());
        StrategySpec usual = StrategySpec.defaults();
        SimulatedModel model = SimulatedModel.of(profile, usual.bucketBytes());
        int batch = Math.multiplyExact(profile.batchPerMachine(), file.cluster().size());
        return simulated(file, model, usual, batch, question, 1);
    }

    private static Simulation simulated(
            ClusterFile file,
            SimulatedModel model,
            StrategySpec own,
            int batch,
            Question question,
            long seed) {
        Prices prices = Prices.chosen(question.prices(), file.prices());
        if (prices != null) {
            prices.requireFor(file.cluster().machines());
        }
        NamedBorders.require(own.codec().borders(), file.cluster().machines());
        ScalingStudy scaling =
                new ScalingStudy(
                        file.cluster(),
                        model.load(),
                        batch,
                        question.growth(),
                        model.samples(),
                        prices,
                        seed);
        return new Simulation(
                model.load().name(),
                model.load().parameters(),
                model.sample(),
                model.length(),
                file.cluster().size(),
                prices == null ? null : prices.currency(),
                remarks(question.growth(), own, model),
                scaling.rows(candidates(own), question.numbers()));
    }

    private Simulation remarking(String first) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(remarks);
        return new Simulation(model, parameters, sample, length, machines, currency, all, rows);
    }

    private static List<String> remarks(Growth growth, StrategySpec own, SimulatedModel model) {
        List<String> remarks = new ArrayList<>();
        if (model.assumed() != null) {
            remarks.add(model.assumed());
        }
        remarks.add(
                growth == Growth.GROWS
                        ? "the batch grows with the machines: whether that learns as well is not"
                                + " simulated"
                        : "the batch stays, whatever the number of machines");
        remarks.addAll(leftOut(own));
        return remarks;
    }

    /** The parts of the job's own strategy that the simulator does not know. */
    private static List<String> leftOut(StrategySpec own) {
        List<String> remarks = new ArrayList<>();
        if (!StrategyModels.isKnown(own.kind())) {
            remarks.add("strategy %s is not simulated".formatted(Words.of(own.kind())));
        } else if (!isSimulated(own)) {
            remarks.add("compress: %s is not simulated".formatted(Words.of(own.compress())));
        }
        return remarks;
    }

    /** The job's own strategy, if it is simulated, then those that one would compare it with. */
    private static List<Candidate> candidates(StrategySpec own) {
        List<Candidate> all = new ArrayList<>();
        if (isSimulated(own)) {
            add(all, own);
        }
        TrafficSpec plain = TrafficSpec.plain(own.transport(), own.bucketBytes());
        DivisionSpec equal = new DivisionSpec(List.of(), own.balance(), Stragglers.DEFAULTS);
        for (Kind kind : StrategyModels.kinds()) {
            StrategySpec other = new StrategySpec(kind.usual(), plain, equal);
            add(all, other);
            if (StrategyModels.of(other).isShownCoded()) {
                add(all, other.with(Compress.INT8));
            }
        }
        return all;
    }

    private static boolean isSimulated(StrategySpec strategy) {
        return StrategyModels.isKnown(strategy.kind()) && strategy.compress() != Compress.POWERSGD;
    }

    private static void add(List<Candidate> all, StrategySpec strategy) {
        String name = name(strategy);
        if (all.stream().noneMatch(known -> known.name().equals(name))) {
            all.add(new Candidate(name, strategy));
        }
    }

    private static String name(StrategySpec strategy) {
        String kind = Words.of(strategy.kind());
        String rounds = strategy.algorithm().hasRounds() ? "/" + strategy.round().syncEvery() : "";
        String codec =
                strategy.compress() == Compress.NONE ? "" : " " + Words.of(strategy.compress());
        String borders = strategy.codec().borders().isEmpty() ? "" : " by border";
        return kind
                + rounds
                + StrategyModels.of(strategy).briefly(strategy)
                + streamed(strategy)
                + quorum(strategy)
                + leaving(strategy)
                + codec
                + borders;
    }

    private static String quorum(StrategySpec strategy) {
        QuorumSpec quorum = strategy.round().quorum();
        return quorum.isNone() ? "" : " quorum " + quorum.text();
    }

    private static String leaving(StrategySpec strategy) {
        return strategy.stragglers().policy() == Policy.LEAVE ? " leave" : "";
    }

    private static String streamed(StrategySpec strategy) {
        StreamSpec stream = strategy.round().stream();
        String overlap = stream.overlap() == 0 ? "" : " overlap " + stream.overlap();
        return (stream.fragments() == 1 ? "" : " in " + stream.fragments()) + overlap;
    }
}
