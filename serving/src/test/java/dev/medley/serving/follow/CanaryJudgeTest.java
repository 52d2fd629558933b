package dev.medley.serving.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.time.Clock;
import dev.medley.onnx.given.GivenTable;
import dev.medley.serving.batch.BatchLimits;
import dev.medley.serving.batch.Computed;
import dev.medley.serving.host.HeldModel;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ModelName;
import dev.medley.serving.host.ServeLimits;
import dev.medley.serving.registry.CanaryGoals;
import dev.medley.serving.registry.CanaryGoals.Better;
import dev.medley.serving.registry.CanaryGoals.IfGood;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.RegistryEvent;
import dev.medley.serving.registry.RegistryEvent.Kind;
import dev.medley.serving.registry.TrafficDeeds;
import dev.medley.serving.registry.TrafficDeeds.Deed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server promotes what is good and takes back what is bad, in virtual time. */
@Tag("real")
class CanaryJudgeTest {
    private static final Deed DEED = new Deed("m", Registry.PRODUCTION, "ada", "");
    private static final CanaryGoals PROMOTES =
            new CanaryGoals("", Better.HIGHER, 0, 1, 0.01, IfGood.PROMOTE);
    private static final Computed FOUND = new Computed(new float[1], 1, 0, 0, 1);

    @TempDir private static Path given;
    @TempDir private Path folder;

    private final AtomicLong nowNs = new AtomicLong();
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final Clock clock =
            new Clock() {
                @Override
                public long nowNs() {
                    return nowNs.get();
                }

                @Override
                public long wallMillis() {
                    return nowNs.get() / 1_000_000;
                }
            };
    private Registry registry;
    private TrafficDeeds deeds;
    private ModelHost host;
    private CanaryJudge judge;
    private FollowedAlias alias;

    @BeforeAll
    static void model() throws Exception {
        GivenTable.in(given, "hours", new ModelSpec.Linear()).trained(null).close();
    }

    @BeforeEach
    void begin() {
        registry = new Registry(folder, clock);
        deeds = new TrafficDeeds(registry);
        for (int i = 0; i < 3; i++) {
            registry.register("m", given.resolve("model"), "ada", "");
        }
        registry.promote("m", 1, Registry.PRODUCTION, "ada", "");
        host = new ModelHost(new ServeLimits(BatchLimits.USUAL, "libtorch", 1, 1), clock);
        host.load(new ModelName("m", "1"), registry.model("m", 1));
        judge = new CanaryJudge(host, deeds, clock, said::add);
        FailedLoads failed = new FailedLoads(clock);
        ModelName first = new ModelName("m", "1");
        alias =
                new FollowedAlias(
                        host, registry, judge, failed, said::add, Registry.PRODUCTION, first);
    }

    @AfterEach
    void end() {
        judge.close();
        host.close();
    }

    /** A window of requests, each of five milliseconds or so; of version 2 some fail. */
    private void window(RandomGenerator random, double failing) {
        long beginNs = nowNs.get();
        List<HeldModel> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            all.add(host.take("m", null, "" + random.nextLong(), Long.MAX_VALUE).join());
        }
        for (HeldModel held : all) {
            nowNs.set(beginNs + (long) (5e6 * Math.exp(0.3 * random.nextGaussian())));
            boolean isBad =
                    held.model().name().version().equals("2") && random.nextDouble() < failing;
            if (isBad) {
                held.failed(1);
            } else {
                held.answered(1, 1, FOUND, clock);
            }
            held.close();
        }
        nowNs.set(beginNs + 250_000_000L);
        judge.look();
    }

    private double untilEnd(double failing) {
        RandomGenerator random = Seeds.generator(5);
        long beginNs = nowNs.get();
        while (deeds.inForce("m", Registry.PRODUCTION).isPresent()) {
            window(random, failing);
            assertThat(nowNs.get() - beginNs).isLessThan(600_000_000_000L);
        }
        return (nowNs.get() - beginNs) / 1e9;
    }

    @Test
    void shouldPromoteAVersionThatIsAsGood() {
        deeds.canary(DEED, 2, 0.3, PROMOTES);
        alias.look();
        untilEnd(0);
        List<RegistryEvent> history = registry.history("m");
        RegistryEvent last = history.get(history.size() - 1);
        assertThat(last.kind()).isEqualTo(Kind.PROMOTED);
        assertThat(last.by()).isEqualTo("medley serve");
        assertThat(last.why()).startsWith("version 2 is as good as version 1 within the margins");
        alias.look();
        assertThat(host.entry("m").versions()).hasSize(1);
        assertThat(host.entry("m").version()).isEqualTo("2");
        assertThat(said).anyMatch(s -> s.contains("it was loaded already"));
    }

    @Test
    void shouldTakeTheShareBeforeTheRegistryKnowsAndNotGiveItAgain() {
        deeds.canary(DEED, 2, 0.3, PROMOTES);
        alias.look();
        assertThat(host.entry("m").traffic()).isNotNull();
        assertThat(untilEnd(0.3)).isLessThanOrEqualTo(5);
        assertThat(host.entry("m").traffic()).isNull();
        alias.look();
        assertThat(host.entry("m").versions()).hasSize(1);
        deeds.canary(DEED, 3, 0.3, PROMOTES);
        alias.look();
        assertThat(host.entry("m").traffic()).as("another trial").isNotNull();
    }

    @Test
    void anUnloadedModelShouldNotComeBackAsItsCanary() {
        deeds.canary(DEED, 2, 0.3, PROMOTES);
        alias.look();
        host.unload("m");
        alias.look();
        assertThat(host.entry("m").versions()).isEmpty();
        host.reload("m");
        alias.look();
        assertThat(host.entry("m").version()).isEqualTo("1");
        assertThat(host.entry("m").traffic()).isNotNull();
    }
}
