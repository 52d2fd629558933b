package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.strategy.StrategySpec.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** State goes from one rank to others, and the collective goes on. */
@Tag("unit")
class CopyTest {
    @ParameterizedTest
    @CsvSource({"TCP,2", "TCP,4", "SHARED_MEMORY,2", "SHARED_MEMORY,4"})
    void shouldCopyAllSpansToThoseNamed(Transport transport, int count) throws Exception {
        long[] lengths = {5_000_008, 0, 8, 64, 1 << 20};
        try (Ranks ranks = new Ranks(count, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.everyone(1), transport, 4096);
            ranks.play(
                    all,
                    each -> {
                        Set<Integer> to = count == 2 ? Set.of(1) : Set.of(1, 3);
                        List<Span> spans = spans(lengths, each.rank());
                        assertThat(each.copy(0, to, spans)).isNull();
                        int holds = to.contains(each.rank()) ? 0 : each.rank();
                        check(spans, spans(lengths, holds));
                        sumOnce(each);
                        assertThat(each.copy(count - 1, Set.of(0), spans)).isNull();
                        sumOnce(each);
                        return null;
                    });
            Ranks.close(all);
        }
    }

    private static void sumOnce(Collective each) {
        each.buffer().buffer().putDouble(0, 1);
        each.begin(new StepTag(1, 1, 1));
        each.sum(0, 4096, ElementType.FLOAT64);
        assertThat(each.finish()).isNull();
        assertThat(each.buffer().buffer().getDouble(0)).isEqualTo(each.size());
    }

    private static List<Span> spans(long[] lengths, int rank) {
        List<Span> spans = new ArrayList<>();
        for (long length : lengths) {
            Span span = Span.allocate(length);
            Values.fill(span, ElementType.FLOAT64, length, rank);
            spans.add(span);
        }
        return spans;
    }

    private static void check(List<Span> spans, List<Span> expected) {
        for (int i = 0; i < spans.size(); i++) {
            assertThat(spans.get(i).buffer()).isEqualTo(expected.get(i).buffer());
        }
    }
}
