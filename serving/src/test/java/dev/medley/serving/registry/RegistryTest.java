package dev.medley.serving.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.time.Clock;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.given.GivenTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What answers under an alias follows from what was done, whoever did it. */
@Tag("real")
class RegistryTest {
    @TempDir private static Path given;
    @TempDir private Path folder;

    @BeforeAll
    static void begin() throws Exception {
        GivenTable.in(given, "hours", new ModelSpec.Linear()).trained(null).close();
    }

    private Registry registry() {
        return new Registry(folder.resolve("registry"), Clock.system());
    }

    private static Path model() {
        return given.resolve("model");
    }

    @Test
    void shouldKeepVersionsWithWhatTheyCameOf() {
        Registry registry = registry();
        VersionCard first = registry.register("churn", model(), "ada", "first");
        VersionCard second = registry.register("churn", model(), "bob", "again");
        assertThat(first.version()).isEqualTo(1);
        assertThat(second.version()).isEqualTo(2);
        assertThat(registry.versions("churn")).containsExactly(first, second);
        assertThat(first.family()).isEqualTo("linear");
        assertThat(first.weightsSha256()).hasSize(64);
        try (LoadedModel loaded = LoadedModel.load(registry.model("churn", 2), 1)) {
            assertThat(loaded.description().model()).isEqualTo(new ModelSpec.Linear());
        }
        registry.promote("churn", 1, Registry.PRODUCTION, "ada", "good enough");
        registry.promote("churn", 2, Registry.PRODUCTION, "ada", "better");
        assertThat(registry.find("churn", "production")).isEqualTo(2);
        RegistryEvent back = registry.rollback("churn", Registry.PRODUCTION, "bob", "errors");
        assertThat(back.version()).isEqualTo(1);
        assertThat(registry.find("churn", "production")).isEqualTo(1);
        assertThat(registry.aliases("churn", 1)).containsExactly("production");
        assertThat(registry.history("churn"))
                .extracting(RegistryEvent::by)
                .containsExactly("ada", "bob", "ada", "ada", "bob");
    }

    @Test
    void shouldSayWhatIsNotThere() throws Exception {
        Registry registry = registry();
        assertThatThrownBy(() -> registry.versions("churn")).hasMessageContaining("is empty");
        registry.register("churn", model(), "ada", "");
        assertThatThrownBy(() -> registry.find("chrun", "1"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("did you mean churn?");
        assertThatThrownBy(() -> registry.find("churn", "7")).hasMessageContaining("it has [1]");
        assertThatThrownBy(() -> registry.find("churn", "canary"))
                .hasMessageContaining("leads to no version");
        assertThatThrownBy(() -> registry.rollback("churn", "production", "ada", ""))
                .hasMessageContaining("no other version before");
        assertThatThrownBy(() -> registry.promote("churn", 1, "2", "ada", ""))
                .hasMessageContaining("is no alias");
        assertThatThrownBy(() -> registry.register("../x", model(), "ada", ""))
                .hasMessageContaining("is no name");
        assertThatThrownBy(() -> registry.register("y", folder, "ada", ""))
                .isInstanceOf(ConfigException.class);
        assertThat(registry.names()).containsExactly("churn");
        Files.writeString(folder.resolve("file"), "x");
        assertThatThrownBy(() -> new Registry(folder.resolve("file"), Clock.system()))
                .hasMessageContaining("is no folder");
    }

    static LongStream seeds() {
        return LongStream.range(0, Math.min(5, Long.getLong("medley.seeds", 15)));
    }

    /** Against a list of what was promoted, of which a roll-back takes the last. */
    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void anAliasShouldLeadWhereTheDeedsSay(long seed) {
        RandomGenerator random = Seeds.generator(seed, 3);
        Registry registry = registry();
        ArrayDeque<Integer> led = new ArrayDeque<>();
        for (int version = 1; version <= 4; version++) {
            registry.register("m", model(), "x", "");
        }
        for (int i = 0; i < 30; i++) {
            int version = 1 + random.nextInt(4);
            boolean isSame = !led.isEmpty() && led.getLast() == version;
            if (random.nextInt(3) > 0 && !isSame) {
                registry.promote("m", version, "a", "x", "");
                led.add(version);
            } else if (led.size() > 1) {
                led.removeLast();
                assertThat(registry.rollback("m", "a", "x", "").version()).isEqualTo(led.getLast());
            }
            if (!led.isEmpty()) {
                assertThat(registry.find("m", "a")).isEqualTo(led.getLast());
            }
        }
    }

    @Test
    void aDeedThatSomebodyRemovedShouldNotStopOthers() throws Exception {
        Registry registry = registry();
        registry.register("m", model(), "x", "");
        registry.register("m", model(), "x", "");
        Files.delete(folder.resolve("registry/m/events/1.json"));
        registry.promote("m", 2, "a", "x", "");
        assertThat(registry.find("m", "a")).isEqualTo(2);
    }

    @Test
    void twoRollBacksToTheSameVersionShouldBeOne() {
        List<RegistryEvent> events = new ArrayList<>();
        for (int version = 1; version <= 3; version++) {
            events.add(new RegistryEvent(RegistryEvent.Kind.PROMOTED, version, "a", 0, "x", ""));
        }
        RegistryEvent back = new RegistryEvent(RegistryEvent.Kind.ROLLED_BACK, 2, "a", 0, "x", "");
        events.addAll(List.of(back, back));
        assertThat(AliasHistory.of(events).current("a")).hasValue(2);
        assertThat(AliasHistory.of(events).before("a")).hasValue(1);
    }

    @Test
    void twoAtTheSameTimeShouldBothBeRecorded() {
        Registry registry = registry();
        registry.register("m", model(), "x", "");
        List<CompletableFuture<VersionCard>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(
                    CompletableFuture.supplyAsync(
                            () -> registry().register("m", model(), "x", "")));
        }
        assertThat(all.stream().map(f -> f.join().version()))
                .containsExactlyInAnyOrder(2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(registry.history("m")).hasSize(9);
    }

    @Test
    void versionsThatNobodyUsedShouldGoAndTheirNumbersStay() throws Exception {
        Registry registry = registry();
        VersionRemovals removals = new VersionRemovals(registry);
        TrafficDeeds traffic = new TrafficDeeds(registry);
        for (int version = 1; version <= 5; version++) {
            registry.register("churn", model(), "ada", "a try");
        }
        registry.promote("churn", 1, Registry.PRODUCTION, "ada", "first");
        registry.promote("churn", 2, Registry.PRODUCTION, "ada", "better");
        TrafficDeeds.Deed deed =
                new TrafficDeeds.Deed("churn", Registry.PRODUCTION, "ada", "a look");
        traffic.shadow(deed, 3);
        traffic.settle(deed);
        for (int used = 1; used <= 3; used++) {
            assertThat(removals.remove("churn", used, "loop", "old")).as("%d", used).isFalse();
        }
        assertThat(removals.remove("churn", 5, "loop", "old")).isTrue();
        assertThat(removals.remove("churn", 5, "loop", "old")).isFalse();
        // A cut before its files went: it is as good as gone, and a sweep takes them.
        assertThat(registry.model("churn", 5)).isDirectory();
        assertThatThrownBy(() -> registry.find("churn", "5"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("churn version 5 was removed at")
                .hasMessageContaining("by loop (old): name another one");
        assertThatThrownBy(() -> registry.promote("churn", 5, "next", "ada", "no"))
                .isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> traffic.canary(deed, 5, 0.1, CanaryGoals.USUAL))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("was removed");
        assertThat(removals.sweep("churn")).isEqualTo(1);
        assertThat(removals.sweep("churn")).isZero();
        assertThat(registry.model("churn", 5)).doesNotExist();
        assertThat(registry.model("churn", 5).getParent().toFile().list())
                .containsExactly("card.json");
        assertThat(registry.versions("churn")).extracting(VersionCard::version).endsWith(3, 4);
        assertThat(registry.register("churn", model(), "ada", "next").version()).isEqualTo(6);
        assertThat(registry.history("churn").get(9).kind()).isEqualTo(RegistryEvent.Kind.REMOVED);
        registry.rollback("churn", Registry.PRODUCTION, "ada", "back");
        assertThat(registry.find("churn", Registry.PRODUCTION)).isEqualTo(1);
    }
}
