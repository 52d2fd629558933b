package dev.medley.training.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.round.Clocks;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.AsyncSpec.Sync;
import dev.medley.exchange.post.Letter;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.training.Samples;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One server's shard of two numbers, by plain SGD, whose clients' letters a test writes. */
@Tag("unit")
class ShardServerTest {
    private static final double RATE = 0.5;
    private static final OptimizerSpec SGD =
            OptimizerSpec.defaults(OptimizerSpec.Kind.SGD).withLearningRate(RATE);

    private final Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
    private final List<String> answers = new ArrayList<>();
    private final List<Double> said = new ArrayList<>();

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @AfterEach
    void close() {
        replica.close();
    }

    /** Two clients. */
    private ShardServer server(AsyncSpec rule, boolean areSites) {
        ShardServer.Clients clients =
                new ShardServer.Clients() {
                    @Override
                    public int count() {
                        return 2;
                    }

                    @Override
                    public boolean areSites() {
                        return areSites;
                    }

                    @Override
                    public void answer(int client, Letter letter) {
                        answers.add(client + " of " + letter.number());
                        if (letter.body().bytes() > 0) {
                            said.add(letter.body().buffer().asDoubleBuffer().get(0));
                        }
                    }

                    @Override
                    public void done() {
                        answers.add("done");
                    }
                };
        return new ShardServer(rule, replica.shard(SGD, 0, 2), ElementType.FLOAT64, clients);
    }

    private static Span numbers(double first, double second) {
        Span span = Span.allocate(2 * Double.BYTES);
        span.buffer().asDoubleBuffer().put(0, first).put(1, second);
        return span;
    }

    /** A gradient of the sum over samples of weight 4, at a rate of a quarter. */
    private static Letter push(int number, double gradient, double scale) {
        return push(1, number, gradient, scale);
    }

    private static Letter push(long step, int number, double gradient, double scale) {
        return new Letter(ShardServer.PUSH, step, number, 4, 0.25, scale, numbers(4 * gradient, 0));
    }

    private static double first(ShardServer server) {
        Span now = numbers(0, 0);
        server.copyTo(now);
        return now.buffer().asDoubleBuffer().get(0);
    }

    /**
     * Four pushes of each make eight clocks. Client 0 pushes five times while 1 computes, whose
     * gradient is then five clocks old: it moves by a fifth. One clock is no age.
     */
    @Test
    void anOldGradientShouldMoveByItsPartOfTheClocksMeanwhile() {
        ShardServer server = server(AsyncSpec.of(Sync.ASYNC), false);
        server.begin(1, new Clocks(16, List.of(8, 8)), numbers(10, 0));
        double expected = 10;
        for (int i = 1; i <= 5; i++) {
            server.pushed(0, push(i, 1, 1));
            expected -= RATE * 0.25;
            assertThat(first(server)).isCloseTo(expected, within(1e-12));
        }
        server.pushed(1, push(1, 1, 1));
        expected -= RATE * 0.25 / 5;
        assertThat(first(server)).isCloseTo(expected, within(1e-12));
        server.pushed(1, push(2, 1, 1));
        expected -= RATE * 0.25;
        assertThat(first(server)).as("it had what it left").isCloseTo(expected, within(1e-12));
        server.pushed(0, push(6, 1, 1));
        expected -= RATE * 0.25 / 2;
        assertThat(first(server)).as("two of client 1 since").isCloseTo(expected, within(1e-12));
        assertThat(said.get(said.size() - 1)).isCloseTo(expected, within(1e-12));
    }

    /** A site says what its gradients began from; its last answer may be younger. */
    @Test
    void aSitesGradientShouldBeAsOldAsItSays() {
        ShardServer server = server(AsyncSpec.of(Sync.ASYNC), true);
        server.begin(1, Clocks.ofSites(8, List.of(8, 8)), numbers(10, 0));
        double expected = 10;
        for (int i = 1; i <= 4; i++) {
            server.pushed(0, push(i, 1, (i - 1) * 0.5));
            expected -= RATE * 0.25;
        }
        assertThat(first(server)).isCloseTo(expected, within(1e-12));
        server.pushed(0, push(5, 1, 2 - 1.5));
        expected -= RATE * 0.25 / 1.5;
        assertThat(first(server)).isCloseTo(expected, within(1e-12));
    }

    /** Stale has a bound of age, so it does not divide by it. A long gradient comes shortened. */
    @Test
    void stalePushesShouldMoveByTheWholeOfTheirRate() {
        ShardServer server = server(AsyncSpec.stale(3), false);
        server.begin(1, new Clocks(8, List.of(8, 8)), numbers(10, 0));
        for (int i = 1; i <= 4; i++) {
            server.pushed(0, push(i, 1, 1));
        }
        assertThat(answers).containsExactly("0 of 1", "0 of 2", "0 of 3");
        server.pushed(1, push(1, 1, 0.5));
        double moved = RATE * 0.25 * 4.5;
        assertThat(first(server)).isCloseTo(10 - moved, within(1e-12));
        assertThat(answers).hasSize(5).endsWith("0 of 4", "1 of 1");
    }

    /** All that is due in a clock is one step of the mean, in order of rank, whoever came first. */
    @Test
    void clocksShouldBeTheMeanOfWhatIsDue() {
        ShardServer server = server(AsyncSpec.of(Sync.BULK), false);
        server.begin(1, new Clocks(2, List.of(2, 2)), numbers(10, 0));
        server.pushed(1, push(1, 3, 1));
        assertThat(first(server)).isEqualTo(10);
        assertThat(answers).isEmpty();
        server.pushed(0, push(1, 1, 0.5));
        assertThat(first(server)).isCloseTo(10 - RATE * 0.25 * (3 + 0.5) / 2, within(1e-12));
        assertThat(answers).containsExactly("0 of 1", "1 of 1");
        assertThat(server.isDone()).isFalse();
        assertThat(server.slowest()).isZero();
        server.pushed(0, push(2, 1, 1));
        assertThat(server.slowest()).isOne();
        server.pushed(1, Letter.empty(ShardServer.PUSH, 1, 2));
        assertThat(answers).endsWith("1 of 2", "done").contains("0 of 2");
        assertThat(server.isDone()).isTrue();
    }

    /** All have the parameters of a round's beginning when it begins, whatever they had before. */
    @Test
    void aGradientShouldBeAsOldAsItsRound() {
        ShardServer server = server(AsyncSpec.of(Sync.ASYNC), false);
        server.begin(1, new Clocks(4, List.of(4, 4)), numbers(10, 0));
        for (int i = 1; i <= 4; i++) {
            server.pushed(0, push(i, 1, 1));
            server.pushed(1, push(i, 1, 1));
        }
        assertThat(server.isDone()).isTrue();
        server.begin(2, new Clocks(4, List.of(4, 4)), numbers(10, 0));
        double expected = 10;
        for (int i = 1; i <= 3; i++) {
            server.pushed(0, push(2, i, 1, 1));
            expected -= RATE * 0.25;
        }
        server.pushed(1, push(2, 1, 1, 1));
        expected -= RATE * 0.25 / 1.5;
        assertThat(first(server)).isCloseTo(expected, within(1e-12));
    }

    @ParameterizedTest
    @EnumSource(Sync.class)
    void aRoundThatAllGaveUpShouldMoveNothing(Sync sync) {
        AsyncSpec rule = sync == Sync.STALE ? AsyncSpec.stale(9) : AsyncSpec.of(sync);
        ShardServer server = server(rule, false);
        server.begin(1, new Clocks(2, List.of(2, 2)), numbers(10, 0));
        server.pushed(0, Letter.empty(ShardServer.PUSH, 1, 2));
        server.pushed(1, Letter.empty(ShardServer.PUSH, 1, 2));
        assertThat(server.isDone()).isTrue();
        assertThat(first(server)).isEqualTo(10);
    }

    /** Both have pushed before it begins here. */
    @Test
    void aRoundWhoseLettersAreThereShouldBeDoneAtOnce() {
        ShardServer server = server(AsyncSpec.of(Sync.BULK), false);
        server.pushed(0, push(1, 1, 1));
        server.pushed(1, push(1, 1, 1));
        server.begin(1, new Clocks(1, List.of(1, 1)), numbers(10, 0));
        assertThat(server.isDone()).isTrue();
        assertThat(answers).containsExactly("0 of 1", "1 of 1", "done");
        assertThat(first(server)).isCloseTo(10 - RATE * 0.25, within(1e-12));
    }

    /** A push of the next round waits until that begins here. */
    @ParameterizedTest
    @EnumSource(Sync.class)
    void aPushThatComesEarlyShouldCountInItsRound(Sync sync) {
        AsyncSpec rule = sync == Sync.STALE ? AsyncSpec.stale(9) : AsyncSpec.of(sync);
        ShardServer server = server(rule, false);
        server.pushed(0, push(1, 1, 1));
        assertThat(answers).isEmpty();
        server.begin(1, new Clocks(1, List.of(1, 1)), numbers(10, 0));
        server.pushed(1, push(1, 1, 1));
        assertThat(server.isDone()).isTrue();
        double steps = sync == Sync.BULK ? 1 : 2;
        assertThat(first(server)).isCloseTo(10 - RATE * 0.25 * steps, within(1e-12));
        server.close();
        assertThat(server.slowest()).isZero();
    }
}
