package dev.medley.hub.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.base.Json;
import dev.medley.hub.MemoryHub;
import dev.medley.hub.SampleFleet;
import dev.medley.hub.http.HubServer;
import dev.medley.hub.http.HubSocket;
import dev.medley.hub.http.HubTokens;
import dev.medley.hub.http.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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

/** Opens the fleet's page in Debian's chromium and looks at what was drawn. */
@Tag("real")
class FleetPageInBrowserTest {
    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

    /** Ends as soon as the page has such an element; the driver gives up after half a minute. */
    private static final String AWAIT =
            """
            const [selector, done] = arguments;
            const look = () => document.querySelector(selector) ? done() : setTimeout(look, 20);
            look();
            """;

    /** Pixels of a canvas that differ in hue from the grey of its axes. */
    private static final String COLOURED_PIXELS =
            """
            const canvas = arguments[0];
            const all = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            let coloured = 0;
            for (let i = 0; i < all.length; i += 4) {
              const most = Math.max(all[i], all[i + 1], all[i + 2]);
              const least = Math.min(all[i], all[i + 1], all[i + 2]);
              if (all[i + 3] > 60 && most - least > 50) coloured++;
            }
            return coloured;
            """;

    @TempDir private static Path folder;
    private static final MemoryHub HUB = SampleFleet.hub();
    private static HubTokens tokens;
    private static HubServer server;
    private static ChromeDriver browser;

    @BeforeAll
    static void open() {
        assumeTrue(
                Files.isExecutable(BROWSER) && Files.isExecutable(DRIVER),
                "skipped: no " + BROWSER + " with " + DRIVER + " on this machine");
        tokens = HubTokens.open(folder);
        server = HubServer.open(HUB, tokens, HubSocket.onLoopback(0));
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
    void shouldShowAFleetByALinkThatIsGoodOnce() {
        browser.get(server.root() + "/api"); // So that the page is loaded, whatever came before.
        browser.executeScript("sessionStorage.clear()");
        show(server.pageLink("127.0.0.1"), 1280);
        await("#cards .job[data-points='200']");
        assertThat(browser.getCurrentUrl()).as("the code is gone").isEqualTo(server.root() + "/");
        assertThat(all(".box")).hasSize(12);
        assertThat(all(".box.busy")).hasSize(8);
        assertThat(all(".box.leaving")).hasSize(1);
        assertThat(all("#queue tbody tr")).hasSize(7);
        assertThat(all("#cards .job")).hasSize(7);
        assertThat(all("#cards .job canvas")).as("all but the one without a loss").hasSize(6);
        WebElement curve = browser.findElement(By.cssSelector(".job[data-job='8'] canvas"));
        assertThat((Long) browser.executeScript(COLOURED_PIXELS, curve)).isGreaterThan(200);
        assertThat(all("#ended tbody tr")).hasSize(6);
        assertThat(all("#lanes .lane > div > b").size()).isGreaterThan(9);
        String queue = text("#queue");
        assertThat(queue)
                .contains(SampleFleet.HOSTILE, "needs two machines", "its user, who paused it")
                .contains("ends first, in");
        assertThat(all("#queue img")).as("a name stays text").isEmpty();
        assertThat(browser.getTitle()).isEqualTo("Fleet – Medley");
        assertThat(text("#tiles")).contains("9 of 11", "Cost so far");
        assertFits(1280);
        assertQuiet();
    }

    @Test
    void shouldAskForATokenAndSayWhatIsWrongWithIt() {
        browser.get(server.root() + "/api");
        browser.executeScript("sessionStorage.clear()");
        show(server.root() + "/", 390);
        await("#door:not([hidden])");
        browser.findElement(By.id("token")).sendKeys("0".repeat(64));
        browser.findElement(By.cssSelector("#door button")).click();
        await("#refused:not([hidden])");
        assertThat(text("#refused")).contains("not known here");
        browser.manage().logs().get(LogType.BROWSER); // It tells of the status 401.
        browser.findElement(By.id("token")).sendKeys(tokens.of(Role.ADMIN));
        browser.findElement(By.cssSelector("#door button")).click();
        await("#cards .job[data-points='200']");
        assertFits(390);
        assertQuiet();
    }

    @Test
    void shouldShowTheInterfaceForPeople() {
        show(server.root() + "/api", 1280);
        await("#login");
        assertThat(all("#routes .endpoint")).hasSizeGreaterThan(12);
        assertThat(text("#submit")).contains("/api/v1/jobs", "SubmitBody → JobStatus");
        assertThat(text("#values")).contains("deadlineEpochS: number or null");
        assertQuiet();
    }

    private static void show(String page, int width) {
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
        browser.get(page);
    }

    private static void await(String selector) {
        browser.executeAsyncScript(AWAIT, selector);
    }

    private static List<WebElement> all(String selector) {
        return browser.findElements(By.cssSelector(selector));
    }

    private static String text(String selector) {
        return browser.findElement(By.cssSelector(selector)).getText();
    }

    private static void assertFits(int width) {
        long page = (Long) browser.executeScript("return document.documentElement.scrollWidth");
        assertThat(page).isLessThanOrEqualTo(width);
    }

    /**
     * No error in the console, and nobody asked but the hub, never with a secret in the address.
     */
    private static void assertQuiet() {
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
                .extracting(LogEntry::toString)
                .isEmpty();
        for (LogEntry entry : browser.manage().logs().get(LogType.PERFORMANCE)) {
            JsonNode message = Json.parse(entry.getMessage(), JsonNode.class).get("message");
            if (message.get("method").asString().equals("Network.requestWillBeSent")) {
                String url = message.at("/params/request/url").asString();
                assertThat(url).matches("data:.*|" + server.root() + "/[^#]*");
                assertThat(url).doesNotContainPattern("[0-9a-f]{64}");
            }
        }
    }
}
