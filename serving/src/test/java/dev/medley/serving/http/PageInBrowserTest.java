package dev.medley.serving.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.base.Json;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.job.ModelSpec;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.given.GivenModel;
import dev.medley.onnx.given.GivenTable;
import dev.medley.serving.host.ModelName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import tools.jackson.databind.JsonNode;

/** Opens the page to try models by hand in Debian's chromium, and asks two models there. */
@Tag("real")
@Timeout(180)
class PageInBrowserTest {
    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

    /** Ends as soon as the page has such an element; the driver gives up after half a minute. */
    private static final String AWAIT =
            """
            const [selector, done] = arguments;
            const look = () => document.querySelector(selector) ? done() : setTimeout(look, 20);
            look();
            """;

    @TempDir private static Path folder;
    private static GivenServer server;
    private static ChromeDriver browser;

    @BeforeAll
    static void open() throws Exception {
        assumeTrue(
                Files.isExecutable(BROWSER) && Files.isExecutable(DRIVER),
                "skipped: no " + BROWSER + " with " + DRIVER + " on this machine");
        GivenTable.in(folder, "income", new ModelSpec.Linear()).trained(null).close();
        TextEncoding bytes = new TextEncoding(TextUnit.BYTES, 24, List.of());
        LoadedModel text =
                GivenModel.trained(
                        folder.resolve("text"),
                        new ModelSpec.Transformer(1, 16, 2, 0.1),
                        bytes,
                        GivenModel.drawn(bytes.signature(), 8));
        text.close();
        server = GivenServer.of(folder.resolve("model"), "libtorch");
        server.host().load(new ModelName("words", "2"), folder.resolve("text"));
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER.toFile());
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage");
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService driver =
                new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile()).build();
        browser = new ChromeDriver(driver, options);
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.quit();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void aRowShouldBeAskedForByItsColumns() throws Exception {
        for (int width : new int[] {1280, 390}) {
            show(width);
            await("#fields [data-column=age]");
            assertThat(text("#models")).contains("words", "ready");
            assertThat(text("#chosen")).isEqualTo("m");
            for (WebElement input : browser.findElements(By.cssSelector("#fields input"))) {
                assertThat(input.getAttribute("value")).as("a plausible value").isNotEmpty();
            }
            browser.findElement(By.id("send")).click();
            await("#answer td.number");
            String curl = text("#curl");
            assertThat(curl)
                    .startsWith(
                            "curl 'http://127.0.0.1:" + server.port() + "/v1/models/m:rows' -d '{");
            String body = curl.substring(curl.indexOf("-d '") + 4, curl.length() - 1);
            JsonNode row =
                    server.post("/v1/models/m:rows", body, "application/json")
                            .json()
                            .path("rows")
                            .get(0);
            assertThat(text("#answer")).contains(row.path("prediction").asString());
            WebElement age = browser.findElement(By.cssSelector("[data-column=age]"));
            age.clear();
            age.sendKeys("it's <b>old</b>");
            assertThat(text("#curl")).contains("it'\\''s <b>old</b>");
            browser.findElement(By.id("send")).click();
            await("#answer .bad");
            assertThat(text("#answer")).contains("column 'age'", "it's <b>old</b>");
            assertThat(browser.findElements(By.cssSelector("#answer b"))).isEmpty();
            assertFits(width);
            assertOnlyOwnServer();
        }
    }

    @Test
    void aTextShouldBeGoneOnWith() {
        show(1280);
        await("#models tr[data-model=words] button");
        browser.findElement(By.cssSelector("#models tr[data-model=words] button")).click();
        await("#fields textarea[name=text_input]");
        browser.findElement(By.id("send")).click();
        await("#answer pre");
        browser.executeAsyncScript(
                """
                const done = arguments[0];
                const said = document.getElementById("said");
                const look = () => said.textContent ? done() : setTimeout(look, 20);
                look();
                """);
        assertThat(text("#answer").length()).isGreaterThan("To be".length());
        assertThat(text("#curl")).contains("generate_stream", "max_tokens");
        assertOnlyOwnServer();
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
    }

    @Test
    void theInterfaceShouldDescribeEveryModel() throws Exception {
        JsonNode document = server.get("/openapi.json").json();
        assertThat(document.path("openapi").asString()).isEqualTo("3.1.0");
        assertThat(document.path("paths").propertyNames())
                .contains(
                        "/v2/models/m/infer",
                        "/v1/models/m:rows",
                        "/v2/models/words/generate",
                        "/v2/models/{model}/versions/{version}/infer",
                        "/v2/repository/index");
        for (String path : document.path("paths").propertyNames()) {
            JsonNode asked = document.path("paths").path(path).at("/post/requestBody/content");
            JsonNode example = asked.path("application/json").path("example");
            if (!example.isMissingNode()) {
                GivenServer.Answer answer =
                        server.post(path, Json.line(example), "application/json");
                assertThat(answer.status()).as("%s: %s", path, answer.body()).isEqualTo(200);
            }
        }
        String text = server.get("/openapi.json").body();
        for (String part : text.split("\"#/components/schemas/", -1)) {
            String name = part.substring(0, Math.max(0, part.indexOf('"')));
            assertThat(text.startsWith(part) || document.at("/components/schemas").has(name))
                    .isTrue();
        }
    }

    private static void show(int width) {
        Map<String, Object> screen =
                Map.of(
                        "width",
                        width,
                        "height",
                        1000,
                        "deviceScaleFactor",
                        1,
                        "mobile",
                        width < 600);
        browser.executeCdpCommand("Emulation.setDeviceMetricsOverride", screen);
        browser.manage().logs().get(LogType.BROWSER);
        browser.manage().logs().get(LogType.PERFORMANCE);
        browser.get(server.at("/").toString());
    }

    private static void await(String selector) {
        browser.executeAsyncScript(AWAIT, selector);
    }

    private static String text(String selector) {
        return browser.findElement(By.cssSelector(selector)).getText();
    }

    private static void assertFits(int width) {
        long page = (Long) browser.executeScript("return document.documentElement.scrollWidth");
        assertThat(page).isLessThanOrEqualTo(width);
    }

    private static void assertOnlyOwnServer() {
        String root = server.at("/").toString();
        for (LogEntry entry : browser.manage().logs().get(LogType.PERFORMANCE)) {
            JsonNode message = Json.parse(entry.getMessage(), JsonNode.class).get("message");
            if (message.get("method").asString().equals("Network.requestWillBeSent")) {
                assertThat(message.at("/params/request/url").asString())
                        .matches("data:.*|" + root + "[^#]*");
            }
        }
    }
}
