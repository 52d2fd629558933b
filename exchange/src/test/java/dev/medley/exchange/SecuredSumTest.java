package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.StepTag;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteMap;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.base.time.Clock;
import dev.medley.net.certs.ClusterFolder;
import dev.medley.net.link.LinkSecurity;
import dev.medley.net.tls.JoinCredentials;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums over links under TLS: by the path of few messages, by one thread, and by two. */
@Tag("unit")
@Timeout(600)
class SecuredSumTest {
    @TempDir private static Path folder;
    private static LinkSecurity everywhere;
    private static LinkSecurity betweenSites;

    @BeforeAll
    static void makeCertificates() {
        new ClusterFolder(folder, Clock.system()).make(List.of("all"), 1);
        JoinCredentials all = JoinCredentials.load(folder.resolve("all"), Clock.system());
        everywhere = LinkSecurity.all(all.credentials());
        betweenSites = LinkSecurity.betweenSites(all.credentials());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void shouldSumAsOverPlainLinks(int count) throws Exception {
        try (Ranks ranks = new Ranks(count, Ranks.options().securing(everywhere))) {
            List<Collective> all = ranks.form(ranks.everyone(1), Transport.TCP, 6 << 20);
            int step = 1;
            for (int elements : new int[] {7, 10_000, 100_001, 300_000, 16_384, 1}) {
                StepTag tag = new StepTag(1, step++, 1);
                long bytes = 4L * elements;
                Span expected = Values.sum(bytes, ElementType.FLOAT32, tag.step(), all.size());
                checkSum(ranks, all, tag, expected);
            }
            Ranks.close(all);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Scheme.class,
            names = {"LEADERS", "SHARES"})
    void shouldSumSiteBySiteWithSecuredLinksBetween(Scheme scheme) throws Exception {
        ExchangeOptions options = Ranks.options().choosingOf(Set.of(scheme)).securing(betweenSites);
        try (Ranks ranks = new Ranks(5, options)) {
            Group group = ranks.at(1, "a", "b", "a", "b", "c");
            List<Collective> all = ranks.form(group, Transport.TCP, 4 << 20);
            List<List<Integer>> sites = SiteMap.of(group).ranks();
            int step = 1;
            for (int elements : new int[] {3, 10_000, 150_001, 1}) {
                StepTag tag = new StepTag(1, step++, 1);
                long bytes = 4L * elements;
                Span expected = Values.sum(bytes, ElementType.FLOAT32, tag.step(), sites);
                checkSum(ranks, all, tag, expected);
            }
            Ranks.close(all);
        }
    }

    private static void checkSum(Ranks ranks, List<Collective> all, StepTag tag, Span sum)
            throws Exception {
        long bytes = sum.bytes();
        ByteBuffer expected = sum.buffer();
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
