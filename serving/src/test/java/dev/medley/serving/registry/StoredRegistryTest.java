package dev.medley.serving.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.StoreUrl;
import dev.medley.base.time.Clock;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.given.GivenTable;
import dev.medley.serving.registry.TrafficDeeds.Deed;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.object.S3Server;
import dev.medley.store.object.StoredObject;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A registry in an object store is as one in a folder, for all machines that reach it. */
@Tag("real")
@Timeout(300)
class StoredRegistryTest {
    private static S3Server server;

    @TempDir private static Path given;
    @TempDir private Path folder;

    @BeforeAll
    static void begin() throws Exception {
        server = S3Server.start();
        GivenTable.in(given, "hours", new ModelSpec.Linear()).trained(null).close();
    }

    @AfterAll
    static void end() throws Exception {
        server.close();
    }

    /** As another machine has it: with a cache of its own. */
    private Registry registry(String where, String machine) {
        return Registry.at(
                where, folder.resolve(machine), server.environment()::get, Clock.system());
    }

    private static Path model() {
        return given.resolve("model");
    }

    @Test
    void whatOneMachineRegistersShouldBeThereForTheOther() throws Exception {
        Registry here = registry("s3://bucket/life", "here");
        Registry there = registry("s3://bucket/life/", "there");
        assertThat(there.names()).isEmpty();
        assertThatThrownBy(() -> there.find("churn", "1"))
                .hasMessage("there is no model churn in s3://bucket/life, which is empty");
        VersionCard first = here.register("churn", model(), "ada", "first");
        VersionCard second = there.register("churn", model(), "bob", "again");
        assertThat(second.version()).isEqualTo(2);
        assertThat(here.versions("churn")).containsExactly(first, second);
        assertThat(here.names()).containsExactly("churn");
        here.promote("churn", 1, Registry.PRODUCTION, "ada", "");
        there.promote("churn", 2, Registry.PRODUCTION, "bob", "better");
        assertThat(here.find("churn", "production")).isEqualTo(2);
        assertThat(there.rollback("churn", "production", "ada", "errors").version()).isEqualTo(1);
        assertThat(here.find("churn", "production")).isEqualTo(1);
        assertThat(here.history("churn")).isEqualTo(there.history("churn")).hasSize(5);
        Path copy = there.model("churn", 1);
        assertThat(copy).startsWith(folder.resolve("there"));
        try (LoadedModel loaded = LoadedModel.load(copy, 1)) {
            assertThat(loaded.description().model()).isEqualTo(new ModelSpec.Linear());
        }
        try (var files = Files.list(model())) {
            for (Path file : files.toList()) {
                assertThat(copy.resolve(file.getFileName())).hasSameBinaryContentAs(file);
            }
        }
        assertThat(there.address("churn", 1)).startsWith("s3://bucket/life/.uploads/");
        assertThatThrownBy(() -> here.find("churn", "prodction"))
                .hasMessageContaining("did you mean production?");
        assertThatThrownBy(() -> here.find("chrun", "1")).hasMessageContaining("mean churn?");
    }

    @Test
    void plansOfTrafficShouldBeKeptWithWhatServersSaw() {
        Registry here = registry("s3://bucket/plans", "here");
        TrafficDeeds deeds = new TrafficDeeds(here);
        Deed deed = new Deed("m", Registry.PRODUCTION, "ada", "");
        for (int i = 0; i < 2; i++) {
            here.register("m", model(), "ada", "");
        }
        here.promote("m", 1, Registry.PRODUCTION, "ada", "");
        deeds.canary(deed, 2, 0.1, CanaryGoals.USUAL);
        TrafficDeeds others = new TrafficDeeds(registry("s3://bucket/plans", "there"));
        TrafficPlan plan = others.inForce("m", Registry.PRODUCTION).orElseThrow();
        assertThat(deeds.seat("m", plan, bytes("{\"a\": 1}"))).isEqualTo(1);
        assertThat(others.seat("m", plan, bytes("{\"a\": 2}"))).isEqualTo(2);
        assertThat(others.told("m", plan, Map.class))
                .containsExactly(Map.of("a", 1), Map.of("a", 2));
        deeds.tell("m", plan, 1, bytes("{\"a\": 3}"));
        assertThat(others.told("m", plan, Map.class))
                .containsExactly(Map.of("a", 3), Map.of("a", 2));
        assertThat(others.decide(deed, plan, RegistryEvent.Kind.SETTLED)).isPresent();
        assertThat(deeds.decide(deed, plan, RegistryEvent.Kind.SETTLED)).isEmpty();
    }

    /** Each promotion is decided by all before it: none leads to where the alias led already. */
    @Test
    void deedsAtTheSameTimeShouldAllBeRecordedInSomeOrder() {
        Registry begun = registry("s3://bucket/race", "x");
        begun.register("m", model(), "x", "");
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int machine = 0; machine < 6; machine++) {
            Registry one = registry("s3://bucket/race", "m" + machine);
            all.add(CompletableFuture.supplyAsync(() -> deeds(one)));
        }
        int done = all.stream().mapToInt(CompletableFuture::join).sum();
        List<RegistryEvent> history = begun.history("m");
        assertThat(history).hasSize(1 + done);
        assertThat(begun.versions("m"))
                .extracting(VersionCard::version)
                .containsExactly(1, 2, 3, 4, 5, 6, 7);
        List<Integer> led = new ArrayList<>(List.of(0));
        for (RegistryEvent event : history) {
            if (event.kind() == RegistryEvent.Kind.PROMOTED) {
                assertThat(event.version()).isNotEqualTo(led.get(led.size() - 1));
                led.add(event.version());
            }
        }
        assertThat(led).hasSizeGreaterThan(2);
    }

    private static int deeds(Registry one) {
        int own = one.register("m", model(), "x", "").version();
        int done = 1;
        for (int i = 0; i < 5; i++) {
            try {
                one.promote("m", i % 2 == 0 ? own : 1, "a", "x", "");
                done++;
            } catch (ConfigException e) {
                assertThat(e).hasMessageContaining("already");
            }
        }
        return done;
    }

    @Test
    void aStoreThatHeedsNoConditionsShouldBeRefused() throws Exception {
        try (S3Server without = S3Server.startWithoutConditions()) {
            Registry registry =
                    Registry.at(
                            "s3://bucket/x",
                            folder.resolve("cache"),
                            without.environment()::get,
                            Clock.system());
            assertThatThrownBy(() -> registry.register("m", model(), "x", ""))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageMatching("--registry s3://bucket/x: [^\n]*If-None-Match[^\n]*");
            assertThat(registry.names()).isEmpty();
        }
    }

    @Test
    void whatTheStoreRefusesShouldBeOneSentence() throws Exception {
        Registry nowhere = registry("s3://nobodys/x", "here");
        assertThatThrownBy(nowhere::names)
                .isInstanceOf(ConfigException.class)
                .hasMessageMatching("s3://nobodys/x/: NoSuchBucket: [^\n]*");
        assertThatThrownBy(() -> nowhere.find("m", "production"))
                .hasMessageMatching("s3://nobodys/x/[^\n]*NoSuchBucket: [^\n]*");
        assertThatThrownBy(() -> nowhere.register("m", model(), "x", ""))
                .hasMessageMatching("s3://nobodys/x/[^\n]*NoSuchBucket: [^\n]*");
        Map<String, String> wrong = server.environment();
        wrong.put("AWS_SECRET_ACCESS_KEY", "guessed");
        Registry stranger = Registry.at("s3://bucket/x", folder, wrong::get, Clock.system());
        assertThatThrownBy(stranger::names).hasMessageMatching(".*SignatureDoesNotMatch[^\n]*");
        assertThatThrownBy(() -> stranger.register("m", model(), "x", ""))
                .hasMessageMatching(".*SignatureDoesNotMatch[^\n]*");
        Map<String, String> nobody = server.environment();
        try (ServerSocket socket = new ServerSocket(0)) {
            nobody.put("AWS_ENDPOINT_URL", "http://127.0.0.1:" + socket.getLocalPort());
        }
        Registry away = Registry.at("s3://bucket/x", folder, nobody::get, Clock.system());
        assertThatThrownBy(away::names).hasMessageMatching("[^\n]*Connection refused[^\n]*");
        assertThatThrownBy(() -> registry("gs://bucket/x", "here"))
                .hasMessageContainingAll("--registry", "gs://bucket/x", "s3://BUCKET/FOLDER");
    }

    @Test
    void aCopyThatIsDamagedShouldComeAgainAndOneInTheStoreBeSaid() throws Exception {
        Registry registry = registry("s3://bucket/damage", "here");
        registry.register("m", model(), "x", "");
        Path weights = registry.model("m", 1).resolve("weights.safetensors");
        byte[] whole = Files.readAllBytes(weights);
        Files.write(weights, new byte[whole.length]);
        assertThat(registry.model("m", 1).resolve("weights.safetensors")).hasBinaryContent(whole);
        try (ObjectStore store = store("s3://bucket/damage")) {
            String name =
                    store.list(".uploads").stream()
                            .map(StoredObject::name)
                            .filter(each -> each.endsWith("weights.safetensors"))
                            .findFirst()
                            .orElseThrow();
            store.write(name, new byte[whole.length]);
            assertThatThrownBy(() -> registry("s3://bucket/damage", "there").model("m", 1))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageMatching(
                            "s3://bucket/damage/" + name + ": damaged[^\n]*SHA-256[^\n]*");
            store.write("m/events/1.json", bytes("{"));
        }
        assertThatThrownBy(() -> registry("s3://bucket/damage", "there").history("m"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("s3://bucket/damage/m/events/1.json: damaged");
    }

    private static ObjectStore store(String url) {
        return ObjectStore.open(StoreUrl.of("--registry", url), server.environment()::get);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Ten models of 100 bytes where 250 may be: two, and those that this process uses. */
    @Test
    void copiesBeyondTheBoundShouldGoTheOldestFirst() throws IOException {
        Path root = folder.resolve("bounded");
        ModelCache cache = new ModelCache(root, 250);
        for (int i = 0; i < 10; i++) {
            Path copy = cached(cache, i);
            assertThat(copy.resolve("x")).hasBinaryContent(content(i));
        }
        assertThat(root.resolve("h0")).doesNotExist();
        assertThat(root.resolve("h1")).doesNotExist();
        for (int i = 2; i < 10; i++) {
            assertThat(root.resolve("h" + i)).as("held by this process").exists();
        }
        assertThat(cached(cache, 0).resolve("x")).hasBinaryContent(content(0));
        assertThat(root.resolve("h2")).doesNotExist();
    }

    private static Path cached(ModelCache cache, int i) throws IOException {
        return cache.folder(
                "s3://bucket/",
                "h" + i,
                List.of(new ModelCache.CachedFile("x", 100, sha256(i))),
                (file, into) -> Files.write(into, content(i)));
    }

    private static byte[] content(int i) {
        byte[] content = new byte[100];
        content[0] = (byte) i;
        return content;
    }

    private static String sha256(int i) {
        try {
            return java.util.HexFormat.of()
                    .formatHex(
                            java.security.MessageDigest.getInstance("SHA-256").digest(content(i)));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
