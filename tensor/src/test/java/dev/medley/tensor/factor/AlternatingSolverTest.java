package dev.medley.tensor.factor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.SpanSource;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.model.FactorSpec.Feedback;
import dev.medley.base.model.FactorSpec.Solver;
import dev.medley.tensor.Torch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds that rows minimise what they are to minimise, whoever solves them. */
@Tag("real")
class AlternatingSolverTest {
    private static final int USERS = 12;
    private static final int ITEMS = 9;
    private static final int RANK = 3;

    private record Rating(int user, int item, float value) {}

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    private static List<Rating> ratings(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<Rating> ratings = new ArrayList<>();
        for (int user = 0; user < USERS; user++) {
            for (int item = 0; item < ITEMS; item++) {
                if (random.nextInt(2) == 0) {
                    ratings.add(new Rating(user, item, 1 + random.nextInt(5)));
                }
            }
        }
        return ratings;
    }

    private static Batch batch(List<Rating> ratings) {
        HostArray codes = HostArray.allocate(ElementType.INT64, ratings.size(), 2);
        HostArray labels = HostArray.allocate(ElementType.FLOAT32, ratings.size());
        for (int i = 0; i < ratings.size(); i++) {
            Rating rating = ratings.get(i);
            codes.data().buffer().asLongBuffer().put(2 * i, rating.user());
            codes.data().buffer().asLongBuffer().put(2 * i + 1, rating.item());
            labels.data().buffer().asFloatBuffer().put(i, rating.value());
        }
        return new Batch(List.of(codes), labels, ratings.size());
    }

    private static FactorSpec spec(Feedback feedback) {
        return FactorSpec.defaults().of("u", "i").withRank(RANK).by(Solver.ALS).with(feedback);
    }

    private static FactorLearner learner(FactorSpec spec, List<Rating> ratings) {
        Input codes =
                new Input(
                        "categories", ElementType.INT64, List.of(2), List.of(USERS + 1, ITEMS + 1));
        Target target = new Target(TargetKind.VALUE, 1, List.of(), 3, 1.4);
        return new FactorLearner(
                new ModelSpec.Factorization(spec),
                new Signature(List.of(codes), target),
                new FactorSides(0, 1),
                7,
                1,
                taker -> taker.accept(batch(ratings)),
                SpanSource.NATIVE);
    }

    private static AlternatingSolver solver(FactorLearner learner, List<Rating> ratings) {
        return new AlternatingSolver(learner, taker -> taker.accept(batch(ratings)));
    }

    /** What a user's row is to minimise, by the definition. */
    private static double objective(
            FactorSpec spec, FactorLearner learner, List<Rating> ratings, int user, float[] row) {
        double sum = 0;
        double counted = 0;
        for (int item = 0; item < ITEMS; item++) {
            float[] other = new float[RANK + 1];
            learner.read(USERS + 1 + item, other);
            double score = row[0] + other[0];
            for (int f = 1; f <= RANK; f++) {
                score += row[f] * other[f];
            }
            int of = item;
            Rating rating =
                    ratings.stream()
                            .filter(r -> r.user() == user && r.item() == of)
                            .findFirst()
                            .orElse(null);
            double weight;
            double wanted;
            if (spec.isImplicit()) {
                weight = rating == null ? 1 : 1 + spec.confidence() * rating.value();
                wanted = rating == null ? 0 : 1;
            } else {
                weight = rating == null ? 0 : 1;
                wanted = rating == null ? 0 : (rating.value() - 3) / 1.4;
            }
            sum += weight * (wanted - score) * (wanted - score);
            counted += weight;
        }
        double squares = 0;
        for (float value : row) {
            squares += value * value;
        }
        return sum + spec.l2() * counted * squares;
    }

    @ParameterizedTest
    @EnumSource
    void aRowShouldMinimiseItsObjective(Feedback feedback) {
        FactorSpec spec = spec(feedback);
        List<Rating> ratings = ratings(3);
        RandomGenerator random = Seeds.generator(4);
        try (FactorLearner learner = learner(spec, ratings)) {
            AlternatingSolver solver = solver(learner, ratings);
            solver.deal(List.of(1), 0);
            solver.begin(0);
            for (int user = 0; user < USERS; user++) {
                float[] row = new float[RANK + 1];
                solver.solve(0, user, row, 0);
                double least = objective(spec, learner, ratings, user, row);
                for (int attempt = 0; attempt < 20; attempt++) {
                    float[] other = row.clone();
                    for (int k = spec.isImplicit() ? 1 : 0; k <= RANK; k++) {
                        other[k] += 0.02f * (float) random.nextGaussian();
                    }
                    assertThat(objective(spec, learner, ratings, user, other))
                            .isGreaterThan(least - 1e-6);
                }
            }
        }
    }

    /** A click log has a pair on many rows: they are one pair, of so much strength together. */
    @Test
    void rowsOfOnePairShouldCountTogetherAsImplicitFeedback() {
        FactorSpec spec = spec(Feedback.IMPLICIT);
        List<Rating> once = List.of(new Rating(0, 1, 5), new Rating(0, 4, 1));
        List<Rating> often =
                List.of(
                        new Rating(0, 1, 2),
                        new Rating(0, 4, 1),
                        new Rating(0, 1, 2),
                        new Rating(0, 1, 1));
        float[] row = new float[RANK + 1];
        float[] same = new float[RANK + 1];
        try (FactorLearner learner = learner(spec, once)) {
            double loss = solved(learner, once, row);
            assertThat(solved(learner, often, same)).isCloseTo(loss, within(1e-9));
            for (int k = 0; k <= RANK; k++) {
                assertThat(same[k]).isCloseTo(row[k], within(1e-6f));
            }
        }
    }

    private static double solved(FactorLearner learner, List<Rating> ratings, float[] row) {
        AlternatingSolver solver = solver(learner, ratings);
        solver.deal(List.of(1), 0);
        solver.begin(0);
        return solver.solve(0, 0, row, 0).lossSum();
    }

    @Test
    void whoeverSolvesARowShouldComeToTheSameBits() {
        FactorSpec spec = spec(Feedback.EXPLICIT);
        List<Rating> ratings = ratings(5);
        List<Integer> shares = List.of(5, 1, 0, 3);
        try (FactorLearner learner = learner(spec, ratings)) {
            AlternatingSolver alone = solver(learner, ratings);
            alone.deal(List.of(1), 0);
            Set<Integer> solved = new HashSet<>();
            for (int side = 0; side < 2; side++) {
                for (int rank = 0; rank < shares.size(); rank++) {
                    AlternatingSolver member = solver(learner, ratings);
                    member.deal(shares, rank);
                    int[] cuts = member.cuts(side, shares);
                    for (int code = cuts[rank]; code < cuts[rank + 1]; code++) {
                        float[] one = new float[RANK + 1];
                        float[] other = new float[RANK + 1];
                        alone.solve(side, code, one, 0);
                        member.solve(side, code, other, 0);
                        assertThat(other).isEqualTo(one);
                        assertThat(solved.add(side * 100 + code)).isTrue();
                    }
                }
            }
            assertThat(solved).hasSize(USERS + 1 + ITEMS + 1);
        }
    }

    @Test
    void itemsOfAUserShouldBeLeftOutOfWhatIsRecommended() {
        List<Rating> ratings = ratings(6);
        try (FactorLearner learner = learner(spec(Feedback.IMPLICIT), ratings)) {
            ItemScores scores = learner.scores();
            for (int user = 0; user <= USERS; user++) {
                int code = user;
                Set<Integer> has = new HashSet<>();
                ratings.stream().filter(r -> r.user() == code).forEach(r -> has.add(r.item()));
                List<ItemScores.Recommended> best = scores.best(user, ITEMS);
                assertThat(best).hasSize(ITEMS - has.size());
                for (int place = 0; place < best.size(); place++) {
                    assertThat(has).doesNotContain(best.get(place).item());
                    assertThat(scores.before(user, best.get(place).item())).isEqualTo(place);
                }
                has.forEach(item -> assertThat(scores.before(code, item)).isEqualTo(-1));
            }
        }
    }

    @Test
    void aScoreShouldBeThePredictionOfThePair() {
        List<Rating> ratings = ratings(8);
        try (FactorLearner learner = learner(spec(Feedback.EXPLICIT), ratings)) {
            ItemScores.Recommended first = learner.scores().best(2, 1).get(0);
            Batch pair = batch(List.of(new Rating(2, first.item(), 0)));
            float predicted = learner.forward(pair).data().buffer().asFloatBuffer().get(0);
            assertThat(first.score()).isCloseTo(predicted, within(1e-5));
        }
    }

    @Test
    void feedbackBelowZeroShouldBeRefused() {
        List<Rating> ratings = List.of(new Rating(0, 0, 1), new Rating(1, 2, -1));
        try (FactorLearner learner = learner(spec(Feedback.IMPLICIT), ratings)) {
            assertThatThrownBy(() -> solver(learner, ratings).deal(List.of(1), 0))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("one row says -1.0");
        }
    }
}
