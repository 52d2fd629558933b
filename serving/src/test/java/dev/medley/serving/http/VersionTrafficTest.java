package dev.medley.serving.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.ModelSpec.Activation;
import dev.medley.base.model.TreeSpec;
import dev.medley.serving.host.MemoryBudget;
import dev.medley.serving.host.MemoryBudget.Way;
import dev.medley.serving.http.GivenTraffic.Told;
import dev.medley.serving.registry.CanaryGoals;
import dev.medley.serving.registry.CanaryGoals.Better;
import dev.medley.serving.registry.CanaryGoals.IfGood;
import dev.medley.serving.registry.Registry;
import dev.medley.serving.registry.RegistryEvent;
import dev.medley.serving.registry.RegistryEvent.Kind;
import dev.medley.serving.registry.TrafficDeeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Versions share the requests of an alias, and one that is worse loses its share. */
@Tag("real")
class VersionTrafficTest {
    private static final ModelSpec TREES = new ModelSpec.Boosting(12, 0.3, TreeSpec.ofBoosting());

    @TempDir private Path scratch;

    private Path folder() {
        return scratch.resolve("registry");
    }

    private void linearAnd(ModelSpec... models) throws Exception {
        GivenTraffic.registered(folder(), scratch, new ModelSpec.Linear());
        for (ModelSpec model : models) {
            GivenTraffic.registered(folder(), scratch, model);
        }
    }

    private TrafficDeeds deeds(GivenTraffic traffic) {
        return new TrafficDeeds(traffic.registry());
    }

    private static Map<String, String> versions(GivenTraffic traffic, int keys) throws Exception {
        Map<String, String> versions = new HashMap<>();
        for (int i = 0; i < keys; i++) {
            Told told = traffic.ask("user-" + i);
            assertThat(told.status()).as(told.body()).isEqualTo(200);
            assertThat(told.body()).contains("\"model_version\":\"" + told.version() + "\"");
            versions.put("user-" + i, told.version());
        }
        return versions;
    }

    private static long count(Map<String, String> versions, String version) {
        return versions.values().stream().filter(version::equals).count();
    }

    @Test
    void aKeyShouldStayWithItsVersionAndAGrowingShareKeepWhoIsIn() throws Exception {
        linearAnd(TREES);
        try (GivenTraffic traffic = GivenTraffic.of(folder())) {
            traffic.look();
            assertThat(count(versions(traffic, 20), "1")).isEqualTo(20);
            deeds(traffic).canary(GivenTraffic.deed(""), 2, 0.2, CanaryGoals.USUAL);
            assertThat(count(versions(traffic, 20), "1")).as("not ready yet").isEqualTo(20);
            traffic.look();
            Map<String, String> some = versions(traffic, 200);
            assertThat(versions(traffic, 200)).isEqualTo(some);
            assertThat(count(some, "2")).isBetween(16L, 70L);
            deeds(traffic).canary(GivenTraffic.deed(""), 2, 0.5, CanaryGoals.USUAL);
            traffic.look();
            Map<String, String> more = versions(traffic, 200);
            assertThat(count(more, "2")).isBetween(66L, 134L);
            some.forEach(
                    (key, version) ->
                            assertThat(version.equals("1") || more.get(key).equals("2")).isTrue());
            GivenServer.Answer named =
                    traffic.server()
                            .post(
                                    "/v2/models/m/versions/2/infer",
                                    "{\"inputs\": []}",
                                    "application/json");
            assertThat(named.status()).isEqualTo(400); // Reached, and not counted.
            JsonNode status = traffic.server().get("/v1/models/m:traffic").json();
            assertThat(status.path("plan").path("form").asString("")).isEqualTo("CANARY");
            assertThat(traffic.server().get("/metrics").body())
                    .contains("medley_serving_traffic_share{model=\"m\",version=\"2\"} 0.5")
                    .contains("nv_inference_request_success{model=\"m\",version=\"2\"}");
            deeds(traffic).settle(GivenTraffic.deed("enough"));
            traffic.look();
            assertThat(count(versions(traffic, 50), "1")).isEqualTo(50);
            assertThat(traffic.server().host().entry("m").versions()).hasSize(1);
        }
    }

    @Test
    void aVersionThatFailsShouldLoseItsShareAndTheHistorySayWhy() throws Exception {
        linearAnd();
        GivenTraffic.registeredBroken(folder(), scratch);
        try (GivenTraffic traffic = GivenTraffic.of(folder());
                GivenTraffic other = GivenTraffic.of(folder())) {
            deeds(traffic).canary(GivenTraffic.deed(""), 2, 0.1, CanaryGoals.USUAL);
            traffic.look();
            other.look();
            CompletableFuture<List<Told>> beside =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return other.askUntilSettled("other-");
                                } catch (Exception e) {
                                    throw new IllegalStateException(e);
                                }
                            });
            List<Told> all = traffic.askUntilSettled("user-");
            all.addAll(beside.join());
            assertThat(all)
                    .filteredOn(t -> t.status() != 200)
                    .extracting(Told::version)
                    .containsOnly("2");
            assertThat(all)
                    .filteredOn(t -> t.version().equals("2"))
                    .hasSizeLessThan(all.size() / 3);
            List<RegistryEvent> history = traffic.registry().history("m");
            RegistryEvent last = history.get(history.size() - 1);
            assertThat(last.kind()).isEqualTo(Kind.SETTLED);
            assertThat(last.by()).isEqualTo("medley serve");
            assertThat(last.why()).startsWith("version 2 fails in 100 % of ");
            assertThat(history).filteredOn(e -> e.kind() == Kind.SETTLED).hasSize(1);
            assertThat(count(versions(traffic, 50), "1")).isEqualTo(50);
            assertThat(count(versions(other, 50), "1")).isEqualTo(50);
        }
    }

    @Test
    void aVersionThatIsSlowShouldLoseItsShare() throws Exception {
        linearAnd(new ModelSpec.Mlp(List.of(3000, 3000), Activation.RELU, 0));
        try (GivenTraffic traffic = GivenTraffic.of(folder())) {
            deeds(traffic).canary(GivenTraffic.deed(""), 2, 0.3, CanaryGoals.USUAL);
            traffic.look();
            List<Told> all = traffic.askUntilSettled("");
            assertThat(all).allSatisfy(t -> assertThat(t.status()).isEqualTo(200));
            List<RegistryEvent> history = traffic.registry().history("m");
            assertThat(history.get(history.size() - 1).why()).startsWith("version 2 takes ");
        }
    }

    @Test
    void aVersionWithWorseOutcomesShouldLoseItsShare() throws Exception {
        linearAnd(new ModelSpec.Linear());
        CanaryGoals goals = new CanaryGoals("clicks", Better.HIGHER, 0, 1, 0.01, IfGood.WAIT);
        try (GivenTraffic traffic = GivenTraffic.of(folder())) {
            GivenServer server = traffic.server();
            String path = "/v1/models/m:outcome";
            String kind = "application/json";
            assertThat(server.post(path, "{\"id\": \"x\", \"value\": 1}", kind).status())
                    .isEqualTo(409);
            deeds(traffic).canary(GivenTraffic.deed(""), 2, 0.3, goals);
            traffic.look();
            int asked = 0;
            while (deeds(traffic).inForce("m", Registry.PRODUCTION).isPresent()) {
                Told told = traffic.ask(asked % 2 == 0 ? "" : "key-" + asked);
                String who =
                        asked % 2 == 0
                                ? "\"id\": \"" + told.id() + "\""
                                : "\"key\": \"key-" + asked + "\"";
                String body = "{%s, \"value\": %s}".formatted(who, told.version().equals("1"));
                assertThat(told.status()).as(told.body()).isEqualTo(200);
                int status = server.post(path, body, kind).status();
                assertThat(status).isIn(200, 404, 409);
                asked++;
                assertThat(asked).isLessThan(5000);
            }
            List<RegistryEvent> history = traffic.registry().history("m");
            assertThat(history.get(history.size() - 1).why()).startsWith("clicks is 0");
        }
    }

    @Test
    void shouldRefuseOutcomesThatAreNone() throws Exception {
        linearAnd(new ModelSpec.Linear());
        CanaryGoals goals = new CanaryGoals("clicks", Better.HIGHER, 0, 10, 0.01, IfGood.WAIT);
        try (GivenTraffic traffic = GivenTraffic.of(folder())) {
            deeds(traffic).canary(GivenTraffic.deed(""), 2, 0.3, goals);
            traffic.look();
            String id = traffic.ask("").id();
            Map<String, Integer> bodies = new HashMap<>();
            bodies.put("{\"id\": \"" + id + "\", \"value\": 11}", 400);
            bodies.put("{\"id\": \"" + id + "\", \"value\": \"yes\"}", 400);
            bodies.put("{\"id\": \"" + id + "\"}", 400);
            bodies.put("{\"value\": 1}", 400);
            bodies.put("{\"id\": \"" + id + "\", \"value\": 1, \"metric\": \"click\"}", 400);
            bodies.put("{\"id\": \"nobody\", \"value\": 1}", 404);
            bodies.put("{\"version\": 7, \"value\": 1}", 400);
            bodies.put("{\"version\": \"two\", \"value\": 1}", 400);
            bodies.put("{\"idd\": 7, \"value\": 1}", 400);
            bodies.put("[1]", 400);
            bodies.put("{", 400);
            for (Map.Entry<String, Integer> each : bodies.entrySet()) {
                GivenServer.Answer answer =
                        traffic.server()
                                .post("/v1/models/m:outcome", each.getKey(), "application/json");
                assertThat(answer.status()).as(each.getKey()).isEqualTo(each.getValue());
                assertThat(answer.body()).contains("\"error\"");
            }
            String good = "{\"id\": \"" + id + "\", \"value\": 7.5}";
            assertThat(
                            traffic.server()
                                    .post("/v1/models/m:outcome", good, "application/json")
                                    .status())
                    .isEqualTo(200);
            assertThat(
                            traffic.server()
                                    .post("/v1/models/m:outcome", good, "application/json")
                                    .status())
                    .as("twice")
                    .isEqualTo(409);
            assertThat(
                            traffic.server()
                                    .post("/v1/models/x:outcome", good, "application/json")
                                    .status())
                    .isEqualTo(404);
            assertThat(traffic.server().get("/v1/models/x:traffic").status()).isEqualTo(404);
        }
    }

    @Test
    void aShadowShouldComputeTheSameAndNobodyGetIt() throws Exception {
        linearAnd(new ModelSpec.Linear(), TREES);
        try (GivenTraffic traffic = GivenTraffic.of(folder())) {
            assertThat(agreement(traffic, 2)).isEqualTo(1.0);
            assertThat(agreement(traffic, 3)).isEqualTo(0.0);
        }
    }

    private double agreement(GivenTraffic traffic, int version) throws Exception {
        deeds(traffic).shadow(GivenTraffic.deed(""), version);
        traffic.look();
        JsonNode shadow;
        int asked = 0;
        do {
            Told told = traffic.ask("");
            assertThat(told.status()).as(told.body()).isEqualTo(200);
            assertThat(told.version()).isEqualTo("1");
            shadow = traffic.server().get("/v1/models/m:traffic").json().path("shadow");
            assertThat(shadow.path("failed").asInt(0)).as("failed").isZero();
            assertThat(++asked).as(shadow + " " + traffic.said()).isLessThan(3000);
        } while (shadow.path("rows").asInt(0) < 20);
        return shadow.path("agreement").asDouble(-1);
    }

    @Test
    void aSwapWithoutRoomForBothShouldAnswerEveryRequest() throws Exception {
        linearAnd(new ModelSpec.Linear());
        AtomicLong room = new AtomicLong(Long.MAX_VALUE);
        MemoryBudget budget = new MemoryBudget(held -> room.get(), "what the test has");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        AtomicBoolean isOver = new AtomicBoolean();
        try (GivenTraffic traffic = GivenTraffic.of(folder(), budget)) {
            List<CompletableFuture<List<Told>>> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                callers.add(CompletableFuture.supplyAsync(() -> asked(traffic, isOver), threads));
            }
            for (int swap = 0; swap < 6; swap++) {
                room.set(swap % 3 == 2 ? Long.MAX_VALUE : 4096);
                traffic.registry().promote("m", 2 - swap % 2, Registry.PRODUCTION, "ada", "");
                traffic.look();
            }
            isOver.set(true);
            List<Told> all = new ArrayList<>();
            callers.forEach(c -> all.addAll(c.join()));
            assertThat(all).allSatisfy(t -> assertThat(t.status()).as(t.body()).isEqualTo(200));
            assertThat(traffic.server().host().swaps().count("m", Way.DRAINED)).isEqualTo(4);
            assertThat(traffic.server().host().swaps().count("m", Way.BESIDE)).isEqualTo(2);
            assertThat(traffic.server().get("/metrics").body())
                    .contains("medley_serving_swaps_total{model=\"m\",way=\"drained\"} 4");
            assertThat(traffic.said()).anyMatch(s -> s.contains("only 4.00 KiB are left"));
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void theOldVersionShouldAnswerAgainWhereTheNewOneCannotBeLoaded() throws Exception {
        linearAnd(new ModelSpec.Linear());
        MemoryBudget budget = new MemoryBudget(held -> 4096, "what the test has");
        try (GivenTraffic traffic = GivenTraffic.of(folder(), budget)) {
            Path weights = traffic.registry().model("m", 2).resolve("weights.safetensors");
            byte[] bytes = Files.readAllBytes(weights);
            bytes[bytes.length - 1] ^= 1;
            Files.write(weights, bytes);
            traffic.registry().promote("m", 2, Registry.PRODUCTION, "ada", "");
            traffic.look();
            Told told = traffic.ask("");
            assertThat(told.status()).as(told.body()).isEqualTo(200);
            assertThat(told.version()).isEqualTo("1");
            assertThat(traffic.said()).anyMatch(s -> s.startsWith("m version 1 still answers: "));
        }
    }

    private static List<Told> asked(GivenTraffic traffic, AtomicBoolean isOver) {
        List<Told> all = new ArrayList<>();
        try {
            do {
                all.add(traffic.ask(""));
            } while (!isOver.get());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return all;
    }
}
