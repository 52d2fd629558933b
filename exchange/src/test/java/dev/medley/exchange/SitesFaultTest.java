package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Fault;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.route.Scheme;
import dev.medley.base.strategy.StrategySpec.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trouble at any rank of any site ends the step on every rank, and everybody names the culprit. */
@Tag("unit")
class SitesFaultTest {
    private static final long FORM_NS = 10_000_000_000L;
    private static final long STEP_NS = 800_000_000L;
    private static final int BYTES = 4 << 20;
    private static final StepTag FIRST = new StepTag(1, 1, 1);

    private static Ranks ranks(String shape, Scheme scheme) {
        return new Ranks(
                shape.length(),
                Ranks.options().waitingAtMost(FORM_NS, STEP_NS).choosingOf(Set.of(scheme)));
    }

    private static Fault sumAll(Collective each, long bytes) {
        each.begin(FIRST);
        each.sum(0, bytes, ElementType.FLOAT32);
        each.sum(BYTES - 64, 64, ElementType.FLOAT64);
        return each.finish();
    }

    private static List<Collective> without(List<Collective> all, int rank) {
        List<Collective> others = new ArrayList<>(all);
        others.remove(rank);
        return others;
    }

    @ParameterizedTest
    @CsvSource({
        "aabb,SHARES,0",
        "aabb,SHARES,3",
        "aaabb,SHARES,1",
        "aabbcc,SHARES,2",
        "aab,SHARES,2",
        "aabb,LEADERS,0",
        "aabb,LEADERS,1",
        "aabbcc,LEADERS,5",
        "abab,RING,1",
        "aaaa,SHARES,0",
        "aaaa,SHARES,2"
    })
    void shouldNameTheSilentRankOnAllOthers(String shape, Scheme scheme, int silent)
            throws Exception {
        try (Ranks ranks = ranks(shape, scheme)) {
            List<Collective> all = ranks.form(ranks.at(1, shape.split("")), Transport.TCP, BYTES);
            List<Fault> faults = ranks.play(without(all, silent), each -> sumAll(each, BYTES - 64));
            assertThat(faults)
                    .allSatisfy(
                            fault -> {
                                assertThat(fault.kind()).isEqualTo(Fault.Kind.PEER);
                                assertThat(fault.who()).isEqualTo("worker-" + silent);
                                assertThat(fault.message()).contains("silent", "step 1, epoch 1");
                            });
            assertThat(sumAll(all.get(silent), BYTES - 64))
                    .as("the silent rank learns that it was given up")
                    .extracting(Fault::who)
                    .isEqualTo("worker-" + silent);
            Ranks.close(all);
        }
    }

    @ParameterizedTest
    @CsvSource({"aabb,SHARES,2", "aaabb,SHARES,4", "abc,SHARES,0", "aabb,LEADERS,3"})
    void shouldSayWhoLeft(String shape, Scheme scheme, int leaver) throws Exception {
        try (Ranks ranks = ranks(shape, scheme)) {
            List<Collective> all = ranks.form(ranks.at(1, shape.split("")), Transport.TCP, BYTES);
            all.get(leaver).close();
            List<Fault> faults = ranks.play(without(all, leaver), each -> sumAll(each, BYTES - 64));
            assertThat(faults).extracting(Fault::who).containsOnly("worker-" + leaver);
            Ranks.close(all);
        }
    }

    @ParameterizedTest
    @CsvSource({"aabb,SHARES", "abc,SHARES", "aabb,LEADERS"})
    void shouldDiscardTheStepWhenRanksSumDifferentSlices(String shape, Scheme scheme)
            throws Exception {
        try (Ranks ranks = ranks(shape, scheme)) {
            List<Collective> all = ranks.form(ranks.at(1, shape.split("")), Transport.TCP, BYTES);
            List<Fault> faults =
                    ranks.play(all, each -> sumAll(each, each.rank() == 0 ? 1 << 20 : 1 << 19));
            assertThat(faults)
                    .allSatisfy(fault -> assertThat(fault.message()).contains("1048576", "524288"));
            Ranks.close(all);
        }
    }

    @ParameterizedTest
    @CsvSource({"aabb,SHARES", "aabb,LEADERS"})
    void shouldEndTheStepEverywhereWhenOneIsAborted(String shape, Scheme scheme) throws Exception {
        Fault why = new Fault(Fault.Kind.SEALED, "coordinator", "epoch 1 is sealed");
        try (Ranks ranks = ranks(shape, scheme)) {
            List<Collective> all = ranks.form(ranks.at(1, shape.split("")), Transport.TCP, BYTES);
            all.get(3).abort(why);
            List<Fault> faults = ranks.play(all, each -> sumAll(each, BYTES - 64));
            assertThat(faults).allSatisfy(fault -> assertThat(fault.message()).contains("sealed"));
            Ranks.close(all);
        }
    }
}
