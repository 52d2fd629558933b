package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.base.time.Clock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Trouble within a step ends it on every rank, soon, and everybody names the culprit. */
@Tag("unit")
class FaultTest {
    private static final long FORM_NS = 10_000_000_000L;
    private static final long STEP_NS = 600_000_000L;
    private static final int BYTES = 6 << 20;
    private static final StepTag FIRST = new StepTag(1, 1, 1);

    private static Ranks ranks(int count) {
        return new Ranks(count, Ranks.options().waitingAtMost(FORM_NS, STEP_NS));
    }

    private static Fault sumAll(Collective each, StepTag tag, long bytes) {
        each.begin(tag);
        each.sum(0, bytes, ElementType.FLOAT32);
        return each.finish();
    }

    @ParameterizedTest
    @CsvSource({
        "TCP,6291456",
        "TCP,1048576",
        "TCP,1024",
        "SHARED_MEMORY,1048576",
        "SHARED_MEMORY,1024"
    })
    void shouldNameTheSilentRankOnAllOthers(Transport transport, long bytes) throws Exception {
        try (Ranks ranks = ranks(4)) {
            List<Collective> all = ranks.form(ranks.everyone(1), transport, BYTES);
            long startNs = Clock.system().nowNs();
            List<Fault> faults =
                    ranks.play(
                            List.of(all.get(0), all.get(1), all.get(3)),
                            each -> sumAll(each, FIRST, bytes));
            long tookNs = Clock.system().nowNs() - startNs;
            assertThat(faults)
                    .allSatisfy(
                            fault -> {
                                assertThat(fault.kind()).isEqualTo(Fault.Kind.PEER);
                                assertThat(fault.who()).isEqualTo("worker-2");
                                assertThat(fault.message()).contains("silent", "step 1, epoch 1");
                            });
            assertThat(tookNs).isBetween(STEP_NS / 2, 5 * STEP_NS);
            assertThat(sumAll(all.get(2), FIRST, bytes))
                    .as("the silent rank learns that it was given up, and who says so")
                    .satisfies(
                            fault -> {
                                assertThat(fault.who()).isEqualTo("worker-2");
                                assertThat(fault.message())
                                        .matches("worker-[013] says: .*silent.*");
                            });
            Ranks.close(all);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SHARED_MEMORY"})
    void shouldEndTheStepEverywhereWhenOneIsAborted(Transport transport) throws Exception {
        Fault why = new Fault(Fault.Kind.SEALED, "coordinator", "epoch 1 is sealed");
        try (Ranks ranks = new Ranks(3, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.everyone(1), transport, BYTES);
            CountDownLatch waiting = new CountDownLatch(2);
            List<Future<Fault>> others =
                    List.of(0, 2).stream()
                            .map(
                                    rank ->
                                            ranks.start(
                                                    () -> {
                                                        waiting.countDown();
                                                        return sumAll(all.get(rank), FIRST, BYTES);
                                                    }))
                            .toList();
            waiting.await();
            all.get(1).abort(why);
            for (Future<Fault> other : others) {
                Fault fault = other.get(120, TimeUnit.SECONDS);
                assertThat(fault.kind()).isEqualTo(Fault.Kind.SEALED);
                assertThat(fault.message()).contains("epoch 1 is sealed");
            }
            assertThat(sumAll(all.get(1), FIRST, BYTES)).isEqualTo(why);
            Ranks.close(all);
        }
    }

    @Test
    void shouldReturnTheFirstFaultForEver() throws Exception {
        Fault why = new Fault(Fault.Kind.SEALED, "coordinator", "sealed");
        try (Ranks ranks = new Ranks(2, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.everyone(1), Transport.TCP, BYTES);
            all.get(0).abort(why);
            all.get(0).abort(new Fault(Fault.Kind.PEER, "worker-1", "too late"));
            assertThat(sumAll(all.get(0), FIRST, BYTES)).isEqualTo(why);
            assertThat(all.get(0).finish()).isEqualTo(why);
            assertThat(all.get(0).copy(0, java.util.Set.of(1), List.of())).isEqualTo(why);
            Ranks.close(all);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TCP,6291456",
        "TCP,1048576",
        "TCP,1024",
        "SHARED_MEMORY,1048576",
        "SHARED_MEMORY,1024"
    })
    void shouldDiscardTheStepWhenRanksDisagreeOnIt(Transport transport, long bytes)
            throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.everyone(1), transport, BYTES);
            List<Fault> faults =
                    ranks.play(
                            all,
                            each ->
                                    sumAll(
                                            each,
                                            new StepTag(1, 7, each.rank() == 1 ? 2 : 1),
                                            bytes));
            assertThat(faults)
                    .allSatisfy(
                            fault -> {
                                assertThat(fault.kind()).isEqualTo(Fault.Kind.PEER);
                                assertThat(fault.message()).contains("plan 1", "plan 2", "step 7");
                            });
            Ranks.close(all);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SHARED_MEMORY"})
    void shouldDiscardTheStepWhenRanksSumDifferentSlices(Transport transport) throws Exception {
        try (Ranks ranks = new Ranks(2, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.everyone(1), transport, BYTES);
            List<Fault> faults =
                    ranks.play(
                            all, each -> sumAll(each, FIRST, each.rank() == 0 ? BYTES : BYTES / 2));
            assertThat(faults)
                    .allSatisfy(
                            fault -> assertThat(fault.message()).contains("6291456", "3145728"));
            Ranks.close(all);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SHARED_MEMORY"})
    void shouldSayWhoLeftWhenOneClosesBetweenSteps(Transport transport) throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.everyone(1), transport, BYTES);
            List<Fault> sound = ranks.play(all, each -> sumAll(each, FIRST, BYTES));
            assertThat(sound).containsOnlyNulls();
            all.get(1).close();
            List<Fault> faults =
                    ranks.play(
                            List.of(all.get(0), all.get(2)),
                            each -> sumAll(each, new StepTag(1, 2, 1), BYTES));
            assertThat(faults).extracting(Fault::who).containsOnly("worker-1");
            Ranks.close(all);
        }
    }
}
