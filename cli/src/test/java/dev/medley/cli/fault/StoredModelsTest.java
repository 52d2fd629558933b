package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.store.object.S3Server;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Versions in an object store are registered on one machine and served on another. */
@Tag("real")
@Timeout(400)
class StoredModelsTest {
    private static final String REGISTRY = "s3://bucket/models";
    private static final Pattern PORT = Pattern.compile("serving at http://[^:]+:(\\d+)");

    private static S3Server server;
    private static Map<String, String> environment;

    @TempDir private Path folder;

    @BeforeAll
    static void begin() throws Exception {
        server = S3Server.start();
        environment = server.environment();
    }

    @AfterAll
    static void end() throws Exception {
        server.close();
    }

    private static String done(int code, Path in, String... words) throws Exception {
        try (MedleyProcess medley = MedleyProcess.startWith(environment, in, words)) {
            assertThat(medley.exitCode()).as(medley.said()).isEqualTo(code);
            return medley.said();
        }
    }

    private static String models(int code, Path in, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("models"));
        all.addAll(List.of(words));
        all.addAll(List.of("--registry", REGISTRY));
        return done(code, in, all.toArray(String[]::new));
    }

    @Test
    void aServerShouldFollowAnAliasOfAStoreToWhichAnotherMachineWrites() throws Exception {
        Path here = Files.createDirectory(folder.resolve("here"));
        Path there = Files.createDirectory(folder.resolve("there"));
        StringBuilder table = new StringBuilder("size,kind\n");
        for (int i = 0; i < 200; i++) {
            table.append(i % 2 == 0 ? i : -i).append(i % 2 == 0 ? ",big\n" : ",small\n");
        }
        Files.writeString(here.resolve("t.csv"), table);
        String train = "train t.csv --label kind -s model=linear -s train.steps=20";
        done(0, here, train.split(" "));
        models(0, here, "register", "latest", "--as", "m", "--promote");
        assertThat(models(0, there, "list")).contains("production", "linear");
        String[] serve = {
            "serve",
            "registry:m@production",
            "--port",
            "0",
            "--engine",
            "libtorch",
            "--mlflow",
            "--registry",
            REGISTRY
        };
        try (MedleyProcess serving = MedleyProcess.startWith(environment, there, serve)) {
            serving.await("listening", () -> PORT.matcher(serving.said()).find());
            Matcher said = PORT.matcher(serving.said());
            assertThat(said.find()).isTrue();
            String root = "http://127.0.0.1:" + said.group(1);
            assertThat(answer(root)).contains("\"model_version\":\"1\"", "\"big\"");
            String uri = root + "/api/2.0/mlflow/model-versions/get-download-uri?name=m&version=1";
            HttpRequest place = HttpRequest.newBuilder(URI.create(uri)).build();
            assertThat(HttpClient.newHttpClient().send(place, BodyHandlers.ofString()).body())
                    .contains(REGISTRY + "/.uploads/");
            models(0, here, "register", "latest", "--as", "m");
            models(0, here, "promote", "m", "2", "--because", "newer");
            serving.await("version 2", () -> answer(root).contains("\"model_version\":\"2\""));
            models(0, here, "rollback", "m");
            serving.await("version 1", () -> answer(root).contains("\"model_version\":\"1\""));
            MedleyProcess.signal("TERM", serving.handle());
            assertThat(serving.exitCode()).as(serving.said()).isZero();
        }
        assertThat(models(0, there, "history", "m"))
                .contains("newer", "production is version 1 again");
        assertThat(models(2, there, "promote", "m", "7"))
                .contains("m has no version 7; it has [1, 2]");
        String[] away = {"serve", "registry:m@prodction", "--port", "0", "--registry", REGISTRY};
        assertThat(done(2, there, away))
                .contains("leads to no version", "did you mean production?");
        String[] nowhere = {"models", "list", "--registry", "s3://nobodys/x"};
        assertThat(done(2, there, nowhere)).contains("NoSuchBucket").hasLineCount(1);
    }

    private static String answer(String root) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(root + "/v1/models/m:rows"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"size\": 70}"))
                        .build();
        return HttpClient.newHttpClient()
                .sendAsync(request, BodyHandlers.ofString())
                .thenApply(HttpResponse::body)
                .join();
    }
}
