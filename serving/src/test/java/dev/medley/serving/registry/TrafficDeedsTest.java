package dev.medley.serving.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.time.Clock;
import dev.medley.onnx.given.GivenTable;
import dev.medley.serving.registry.CanaryGoals.Better;
import dev.medley.serving.registry.CanaryGoals.IfGood;
import dev.medley.serving.registry.RegistryEvent.Kind;
import dev.medley.serving.registry.TrafficDeeds.Deed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans of traffic follow from deeds, and of several servers that decide one does. */
@Tag("real")
class TrafficDeedsTest {
    private static final Deed DEED = new Deed("m", Registry.PRODUCTION, "ada", "tried");

    @TempDir private static Path given;
    @TempDir private Path folder;

    private Registry registry;
    private TrafficDeeds deeds;

    @BeforeAll
    static void begin() throws Exception {
        GivenTable.in(given, "hours", new ModelSpec.Linear()).trained(null).close();
    }

    @BeforeEach
    void versions() {
        registry = new Registry(folder.resolve("registry"), Clock.system());
        deeds = new TrafficDeeds(registry);
        for (int i = 0; i < 3; i++) {
            registry.register("m", given.resolve("model"), "ada", "");
        }
        registry.promote("m", 1, Registry.PRODUCTION, "ada", "");
    }

    private Optional<TrafficPlan> inForce() {
        return deeds.inForce("m", Registry.PRODUCTION);
    }

    /** What was decided by other goals, or of other versions, decides nothing of this one. */
    @Test
    void aDecisionShouldHoldForItsOwnTrialAlone() {
        deeds.canary(DEED, 2, 0.05, CanaryGoals.USUAL);
        TrafficPlan before = inForce().orElseThrow();
        CanaryGoals clicks = new CanaryGoals("clicks", Better.HIGHER, 0, 1, 0.01, IfGood.WAIT);
        deeds.canary(DEED, 2, 0.05, clicks);
        assertThat(inForce().orElseThrow().salt())
                .as("who is in stays in")
                .isEqualTo(before.salt());
        assertThat(deeds.decide(DEED, before, RegistryEvent.Kind.PROMOTED)).isEmpty();
        assertThat(inForce()).isPresent();
        TrafficPlan now = inForce().orElseThrow();
        deeds.canary(DEED, 2, 0.5, clicks);
        assertThat(deeds.decide(DEED, now, RegistryEvent.Kind.SETTLED))
                .as("a larger share")
                .isPresent();
    }

    @Test
    void aPlanShouldHoldUntilItIsEndedOrItsAliasLeadsElsewhere() {
        assertThat(inForce()).isEmpty();
        RegistryEvent first = deeds.canary(DEED, 2, 0.05, CanaryGoals.USUAL);
        TrafficPlan plan = inForce().orElseThrow();
        assertThat(first.plan()).isEqualTo(plan);
        assertThat(plan.shares()).isEqualTo(Map.of(1, 0.95, 2, 0.05));
        deeds.canary(DEED, 2, 0.5, CanaryGoals.USUAL);
        assertThat(inForce().orElseThrow().salt()).isEqualTo(plan.salt());
        assertThat(inForce().orElseThrow().continues(plan)).isTrue();
        deeds.canary(DEED, 3, 0.5, CanaryGoals.USUAL);
        assertThat(inForce().orElseThrow().salt()).isNotEqualTo(plan.salt());
        long canary = inForce().orElseThrow().salt();
        deeds.shadow(DEED, 3);
        assertThat(inForce().orElseThrow().salt()).as("another trial").isNotEqualTo(canary);
        registry.promote("m", 2, "other", "ada", "");
        assertThat(inForce()).as("another alias").isPresent();
        deeds.settle(DEED);
        assertThat(inForce()).isEmpty();
        deeds.split(DEED, Map.of(2, 0.9, 3, 0.1));
        registry.promote("m", 2, Registry.PRODUCTION, "ada", "");
        assertThat(inForce()).isEmpty();
        deeds.shadow(DEED, 3);
        registry.rollback("m", Registry.PRODUCTION, "ada", "");
        assertThat(inForce()).isEmpty();
        assertThat(registry.find("m", Registry.PRODUCTION)).isEqualTo(1);
    }

    @Test
    void ofServersThatDecideTogetherOneShouldDecide() {
        deeds.canary(DEED, 2, 0.05, CanaryGoals.USUAL);
        TrafficPlan plan = inForce().orElseThrow();
        List<CompletableFuture<Optional<RegistryEvent>>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Kind kind = i % 2 == 0 ? Kind.SETTLED : Kind.PROMOTED;
            all.add(CompletableFuture.supplyAsync(() -> deeds.decide(DEED, plan, kind)));
        }
        assertThat(all.stream().map(CompletableFuture::join).filter(Optional::isPresent))
                .hasSize(1);
        assertThat(inForce()).isEmpty();
        deeds.canary(DEED, 3, 0.05, CanaryGoals.USUAL);
        assertThat(deeds.decide(DEED, plan, Kind.SETTLED)).as("of an older trial").isEmpty();
        assertThat(inForce()).isPresent();
    }

    @Test
    void serversShouldTakeSeatsOneAfterTheOther() {
        deeds.canary(DEED, 2, 0.05, CanaryGoals.USUAL);
        TrafficPlan plan = inForce().orElseThrow();
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            byte[] told = ("{\"name\": \"" + i + "\"}").getBytes(StandardCharsets.UTF_8);
            all.add(CompletableFuture.supplyAsync(() -> deeds.seat("m", plan, told)));
        }
        assertThat(all.stream().map(CompletableFuture::join))
                .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6);
        deeds.tell("m", plan, 4, "{\"name\": \"four\"}".getBytes(StandardCharsets.UTF_8));
        assertThat(deeds.told("m", plan, Map.class)).hasSize(6).contains(Map.of("name", "four"));
    }

    @Test
    void shouldRefusePlansThatAreNone() {
        refused(() -> deeds.canary(DEED, 1, 0.05, CanaryGoals.USUAL), "is version 1 already");
        refused(() -> deeds.canary(DEED, 9, 0.05, CanaryGoals.USUAL), "it has [1, 2, 3]");
        for (double share : new double[] {0, 1, 1.5, -0.1, Double.NaN}) {
            refused(() -> deeds.canary(DEED, 2, share, CanaryGoals.USUAL), "a canary cannot have");
        }
        refused(() -> deeds.shadow(DEED, 1), "is version 1 already");
        refused(() -> deeds.split(DEED, Map.of(2, 0.9, 3, 0.2)), "the shares sum to 110 %");
        refused(() -> deeds.split(DEED, Map.of(2, 1.0)), "a split needs two versions");
        refused(() -> deeds.split(DEED, Map.of(2, 1.1, 3, -0.1)), "cannot have");
        refused(() -> deeds.settle(DEED), "has no canary, shadow or split");
        Deed other = new Deed("m", "nobody", "ada", "");
        refused(() -> deeds.canary(other, 2, 0.05, CanaryGoals.USUAL), "leads to no version");
        assertThat(registry.history("m")).hasSize(4);
    }

    private static void refused(Runnable deed, String why) {
        assertThatThrownBy(deed::run).isInstanceOf(ConfigException.class).hasMessageContaining(why);
    }
}
