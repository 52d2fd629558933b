package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Clock;
import dev.medley.base.StepTag;
import dev.medley.base.job.StrategySpec.Transport;
import dev.medley.base.memory.ElementType;
import dev.medley.net.certs.ClusterFolder;
import dev.medley.net.link.LinkSecurity;
import dev.medley.net.tls.JoinCredentials;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums over links under TLS: by the path of few messages, by one thread, and by two. */
@Tag("unit")
@Timeout(120)
class SecuredSumTest {
    @TempDir private static Path folder;
    private static ExchangeOptions options;

    @BeforeAll
    static void makeCertificates() {
        new ClusterFolder(folder, Clock.system()).make(List.of("all"), 1);
        JoinCredentials all = JoinCredentials.load(folder.resolve("all"), Clock.system());
        options = Ranks.options().securing(LinkSecurity.all(all.credentials()));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void shouldSumAsOverPlainLinks(int count) throws Exception {
        try (Ranks ranks = new Ranks(count, options)) {
            List<Collective> all = ranks.form(ranks.everyone(1), Transport.TCP, 16 << 20);
            int step = 1;
            for (int elements : new int[] {7, 10_000, 600_001, 4 << 20, 16_384, 1}) {
                checkSum(ranks, all, new StepTag(1, step++, 1), elements);
            }
            Ranks.close(all);
        }
    }

    private static void checkSum(Ranks ranks, List<Collective> all, StepTag tag, int elements)
            throws Exception {
        long bytes = 4L * elements;
        ByteBuffer expected =
                Values.sum(bytes, ElementType.FLOAT32, tag.step(), all.size()).buffer();
        ranks.play(
                all,
                each -> {
                    Values.fill(
                            each.buffer().slice(0, bytes),
                            ElementType.FLOAT32,
                            tag.step(),
                            each.rank());
                    each.begin(tag);
                    each.sum(0, bytes, ElementType.FLOAT32);
                    assertThat(each.finish()).isNull();
                    assertThat(each.buffer().slice(0, bytes).buffer()).isEqualTo(expected);
                    return null;
                });
    }
}
