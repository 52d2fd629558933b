package dev.medley.trees;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.model.TreeSpec;
import dev.medley.tensor.model.BlockLoss;
import java.nio.FloatBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Trees of one member: what they learn, and how they are kept. */
@Tag("unit")
class TreeLearnerTest {
    private static final int ROWS = 3000;

    @ParameterizedTest
    @EnumSource(names = {"BINARY", "CLASSES", "VALUE"})
    void boostingShouldLearnWhatNumbersAndCategoriesTellTogether(TargetKind kind) {
        try (TreeLearner learner = TreeSamples.boosting(kind)) {
            double last = trained(learner, kind, 50);
            assertThat(last / ROWS).isLessThan(kind == TargetKind.VALUE ? 2.5 : 0.2);
            Batch unseen = TreeSamples.batch(2, 0, 500, kind);
            assertThat(learner.evaluate(unseen).lossSum() / 500)
                    .isLessThan(kind == TargetKind.VALUE ? 4 : 0.35);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BINARY", "CLASSES", "VALUE"})
    void aForestShouldLearnItToo(TargetKind kind) {
        ModelSpec.Forest forest = new ModelSpec.Forest(40, TreeSpec.ofForest());
        try (TreeLearner learner = TreeSamples.learner(forest, kind)) {
            double early = trained(learner, kind, 4) / ROWS;
            assertThat(early)
                    .as("a part of it is a forest")
                    .isLessThan(kind == TargetKind.VALUE ? 9 : 0.6);
            double last = trained(learner, kind, 40);
            assertThat(last / ROWS).isLessThan(kind == TargetKind.VALUE ? 4 : 0.35);
        }
    }

    /** A block that is known is walked through by the new trees alone, to the same outputs. */
    @ParameterizedTest
    @EnumSource(names = {"BINARY", "CLASSES", "VALUE"})
    void aBlockThatIsKnownShouldBeJudgedAsANewOneIs(TargetKind kind) {
        Batch unseen = TreeSamples.batch(2, 0, 500, kind);
        try (TreeLearner learner = TreeSamples.boosting(kind)) {
            for (int rounds = 5; rounds <= 20; rounds += 5) {
                double unused = trained(learner, kind, rounds);
                BlockLoss known = learner.evaluate(unseen, 0);
                BlockLoss anew = learner.evaluate(unseen);
                assertThat(known.lossSum()).isEqualTo(anew.lossSum());
                assertThat(floats(known.outputs())).isEqualTo(floats(anew.outputs()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BINARY", "CLASSES", "VALUE"})
    void whatIsKeptShouldGoOnToTheSameBits(TargetKind kind) {
        try (TreeLearner whole = TreeSamples.boosting(kind);
                TreeLearner half = TreeSamples.boosting(kind);
                TreeLearner rest = TreeSamples.boosting(kind)) {
            double unused = trained(whole, kind, 60);
            unused = trained(half, kind, 33);
            rest.load(half.trees());
            unused = trained(rest, kind, 60);
            assertThat(rest.parameterHash()).isEqualTo(whole.parameterHash());
        }
    }

    @Test
    void roundsThatAreCutOffShouldLeaveThoseBeforeAsTheyWere() {
        try (TreeLearner cut = TreeSamples.boosting(TargetKind.CLASSES);
                TreeLearner whole = TreeSamples.boosting(TargetKind.CLASSES)) {
            double unused = trained(cut, TargetKind.CLASSES, 12);
            cut.cutTo(7);
            assertThat(cut.rounds()).isEqualTo(7);
            unused = trained(whole, TargetKind.CLASSES, 7);
            Batch unseen = TreeSamples.batch(2, 0, 500, TargetKind.CLASSES);
            assertThat(floats(cut.forward(unseen))).isEqualTo(floats(whole.forward(unseen)));
            assertThat(cut.parameterHash()).isEqualTo(whole.parameterHash());
            cut.cutTo(0);
            assertThat(cut.rounds()).isZero();
        }
    }

    /** What is left is what XGBoost writes of an ensemble that was never larger, byte for byte. */
    @Test
    void theBytesOfACutShouldBeThoseOfAnEnsembleOfFewerRounds() {
        for (TargetKind kind : List.of(TargetKind.BINARY, TargetKind.CLASSES)) {
            try (TreeLearner larger = TreeSamples.boosting(kind);
                    TreeLearner smaller = TreeSamples.boosting(kind)) {
                double unused = trained(larger, kind, 140);
                unused = trained(smaller, kind, 11);
                assertThat(EnsembleCut.of(larger.trees(), 11)).isEqualTo(smaller.trees());
            }
        }
    }

    /** Its rows are few, so that one thread is enough, whatever it may have. */
    @Test
    void threadsThatAreOfNoUseShouldChangeNothing() {
        try (TreeLearner one = TreeSamples.boosting(TargetKind.BINARY);
                TreeLearner many = TreeSamples.boosting(TargetKind.BINARY)) {
            double unused = trained(one, TargetKind.BINARY, 12);
            unused = trained(many, TargetKind.BINARY, 6);
            many.useThreads(4);
            unused = trained(many, TargetKind.BINARY, 12);
            assertThat(many.rounds()).isEqualTo(12);
            assertThat(many.parameterHash()).isEqualTo(one.parameterHash());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BINARY", "CLASSES", "VALUE"})
    void roundsThatAreGrownAgainShouldBeTheSame(TargetKind kind) {
        try (TreeLearner cut = TreeSamples.boosting(kind);
                TreeLearner whole = TreeSamples.boosting(kind)) {
            double unused = trained(cut, kind, 9);
            cut.cutTo(6);
            double again = trained(cut, kind, 12);
            assertThat(again).isEqualTo(trained(whole, kind, 12));
            assertThat(cut.parameterHash()).isEqualTo(whole.parameterHash());
        }
    }

    @ParameterizedTest
    @EnumSource
    void rowsShouldBeRankedAmongThoseOfTheirGroup(ModelSpec.Boosting.Ranking by) {
        ModelSpec.Boosting model =
                new ModelSpec.Boosting(50, 0.3, TreeSpec.ofBoosting()).ranking(by);
        try (TreeLearner learner = TreeSamples.learner(model, TargetKind.GRADE)) {
            double first = trained(learner, TargetKind.GRADE, 1);
            double last = trained(learner, TargetKind.GRADE, 50);
            assertThat(last).as("1 - NDCG of 300 groups").isLessThan(first / 4).isLessThan(9);
            BlockLoss unseen = learner.evaluate(TreeSamples.batch(2, 0, 500, TargetKind.GRADE));
            assertThat(unseen.weight()).isEqualTo(50);
            assertThat(unseen.lossSum()).isLessThan(4);
        }
    }

    /** XGBoost keeps groups by the address of their matrix, which other rows may take over. */
    @Test
    void otherRowsShouldBringOtherGroups() {
        try (TreeLearner moved = TreeSamples.boosting(TargetKind.GRADE);
                TreeLearner fresh = TreeSamples.boosting(TargetKind.GRADE)) {
            double unused = trained(moved, TargetKind.GRADE, 3);
            fresh.load(moved.trees());
            for (TreeLearner learner : List.of(moved, fresh)) {
                int rows = ROWS / 2 + TreeSamples.GROUP / 2; // The last group is half as long.
                learner.learnFrom(rows, TreeSamples.batches(3, 0, rows, TargetKind.GRADE));
                unused = learner.grow().lossSum();
            }
            assertThat(moved.parameterHash()).isEqualTo(fresh.parameterHash());
        }
    }

    @Test
    void aMonotoneColumnShouldNeverLowerThePrediction() {
        TreeSpec usual = TreeSpec.ofBoosting();
        TreeSpec rising = new TreeSpec(4, 0, 1, 0, 0, 1, 1, 1, 64, TreeSamples.rising());
        assertThat(isRising(usual)).as("without").isFalse();
        assertThat(isRising(rising)).as("with").isTrue();
    }

    private static boolean isRising(TreeSpec tree) {
        try (TreeLearner learner =
                TreeSamples.learner(new ModelSpec.Boosting(20, 0.3, tree), TargetKind.BINARY)) {
            double unused = trained(learner, TargetKind.BINARY, 20);
            int steps = 200;
            HostArray numbers = HostArray.allocate(ElementType.FLOAT32, steps, 2);
            HostArray codes = HostArray.allocate(ElementType.INT64, steps, 1);
            for (int i = 0; i < steps; i++) {
                numbers.data().buffer().asFloatBuffer().put(2 * i, -1 + 2f * i / steps);
                numbers.data().buffer().asFloatBuffer().put(2 * i + 1, -0.5f);
            }
            Batch batch =
                    new Batch(
                            List.of(numbers, codes),
                            HostArray.allocate(ElementType.FLOAT32, steps),
                            steps);
            FloatBuffer outputs = floats(learner.forward(batch));
            for (int i = 1; i < steps; i++) {
                if (outputs.get(i) < outputs.get(i - 1)) {
                    return false;
                }
            }
            return true;
        }
    }

    @Test
    void columnsShouldBeWorthWhatTheirSplitsBring() {
        ModelSpec.Boosting model = new ModelSpec.Boosting(20, 0.3, TreeSpec.ofBoosting());
        try (TreeLearner learner = TreeSamples.learner(model, TargetKind.VALUE)) {
            assertThat(learner.gains()).extracting(TreeGain::splits).containsOnly(0L);
            double unused = trained(learner, TargetKind.VALUE, 20);
            List<TreeGain> gains = learner.gains();
            assertThat(gains).extracting(TreeGain::column).containsExactly("x", "y", "kind");
            assertThat(gains.get(0).gain()).as("x").isGreaterThan(20 * gains.get(2).gain());
            assertThat(gains.get(2).gain()).as("kind").isGreaterThan(1.5 * gains.get(1).gain());
            assertThat(gains.get(0).splits()).isPositive();
        }
    }

    /** Where rows have weights each loss is computed by itself. */
    @Test
    void theLossOfAllRowsShouldBeTheSumOfThoseOfEach() {
        TreeObjective objective =
                new TreeObjective(
                        ModelSpec.Boosting.defaults(), TreeSamples.target(TargetKind.BINARY));
        int rows = 5000;
        float[] targets = new float[rows];
        float[] outputs = new float[rows];
        float[] ones = new float[rows];
        for (int row = 0; row < rows; row++) {
            targets[row] = row % 2;
            outputs[row] = (row - rows / 2) / 20f; // As far as a loss of 125.
            ones[row] = 1;
        }
        double each = objective.loss(new RowTargets(targets, ones, new int[0]), outputs).lossSum();
        double all = objective.loss(new RowTargets(targets, null, new int[0]), outputs).lossSum();
        assertThat(all).isCloseTo(each, withinPercentage(1e-10));
    }

    @Test
    void heavierRowsShouldCountMore() {
        ModelSpec.Boosting model = new ModelSpec.Boosting(5, 0.3, TreeSpec.ofBoosting());
        List<Double> heavy = List.of(1.0, 5.0);
        try (TreeLearner plain = TreeSamples.learner(model, TargetKind.BINARY);
                TreeLearner weighed =
                        new TreeLearner(
                                model,
                                TreeSamples.target(TargetKind.BINARY),
                                TreeSamples.COLUMNS,
                                new TreeLearner.Growing(1, 7, heavy))) {
            double unused = trained(plain, TargetKind.BINARY, 5);
            unused = trained(weighed, TargetKind.BINARY, 5);
            assertThat(mean(weighed)).isGreaterThan(mean(plain) + 0.3);
        }
    }

    private static double mean(TreeLearner learner) {
        FloatBuffer outputs =
                floats(learner.forward(TreeSamples.batch(2, 0, 500, TargetKind.BINARY)));
        double sum = 0;
        while (outputs.hasRemaining()) {
            sum += outputs.get();
        }
        return sum / 500;
    }

    /** Grows until there are so many rounds; the loss of the last. */
    private static double trained(TreeLearner learner, TargetKind kind, int rounds) {
        learner.learnFrom(ROWS, TreeSamples.batches(1, 0, ROWS, kind));
        double last = Double.NaN;
        while (learner.rounds() < rounds) {
            last = learner.grow().lossSum();
        }
        return last;
    }

    private static FloatBuffer floats(HostArray array) {
        return array.data().buffer().asFloatBuffer();
    }
}
