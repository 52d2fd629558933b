package dev.medley.record.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.base.Json;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.record.folder.RunFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import tools.jackson.databind.JsonNode;

/** Opens reports in Debian's chromium and looks at what was drawn. */
@Tag("real")
class ReportInBrowserTest {
    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

    /** Pixels of a canvas that differ in hue from the grey of its axes. */
    private static final String COLOURED_PIXELS =
            """
            const canvas = arguments[0].querySelector("canvas");
            const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            let coloured = 0;
            for (let i = 0; i < pixels.length; i += 4) {
              const most = Math.max(pixels[i], pixels[i + 1], pixels[i + 2]);
              const least = Math.min(pixels[i], pixels[i + 1], pixels[i + 2]);
              if (pixels[i + 3] > 60 && most - least > 50) coloured++;
            }
            return coloured;
            """;

    @TempDir Path runs;
    private static ChromeDriver browser;

    @BeforeAll
    static void open() {
        assumeTrue(
                Files.isExecutable(BROWSER) && Files.isExecutable(DRIVER),
                "skipped: no " + BROWSER + " with " + DRIVER + " on this machine");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER.toFile());
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage");
        options.setCapability("goog:loggingPrefs", logs);
        browser =
                new ChromeDriver(
                        new ChromeDriverService.Builder()
                                .usingDriverExecutable(DRIVER.toFile())
                                .build(),
                        options);
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.quit();
        }
    }

    @Test
    void shouldDrawEveryChartOfAnEventfulRun() {
        show(new SampleRuns(runs).eventful(1500), 1280);
        assertThat(charts())
                .extracting(chart -> chart.getDomAttribute("data-chart"))
                .containsExactlyInAnyOrder(
                        "loss", "metric-0", "rate", "norm", "speed", "time", "shares", "memory");
        assertDrawn(300);
        assertQuiet();
    }

    @Test
    void shouldDrawTheSameByTime() {
        show(new SampleRuns(runs).eventful(300), 1280);
        browser.findElement(By.cssSelector("[data-axis=seconds]")).click();
        assertThat(
                        browser.findElement(By.cssSelector("[data-axis=seconds]"))
                                .getDomAttribute("aria-pressed"))
                .isEqualTo("true");
        assertDrawn(300);
        assertQuiet();
    }

    @Test
    void shouldDrawASingleStepAsPoints() {
        show(new SampleRuns(runs).ofOneStep(), 1280);
        assertDrawn(8);
        assertQuiet();
    }

    @Test
    void shouldShowARunThatFailedBeforeItsFirstStep() {
        show(new SampleRuns(runs).failedAtOnce(), 1280);
        assertThat(charts()).isEmpty();
        assertThat(browser.findElement(By.cssSelector(".state.failed")).isDisplayed()).isTrue();
        assertQuiet();
    }

    @Test
    void shouldFitAPhone() {
        show(new SampleRuns(runs).eventful(600), 390);
        long page = (Long) browser.executeScript("return document.documentElement.scrollWidth");
        long window = (Long) browser.executeScript("return window.innerWidth");
        assertThat(page).isLessThanOrEqualTo(window);
        assertDrawn(150);
        assertQuiet();
    }

    @Test
    void shouldFollowTheDarkSchemeWhenItChanges() {
        show(new SampleRuns(runs).eventful(200), 1280);
        String light = background();
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
        assertThat(background()).isNotEqualTo(light);
        assertDrawn(300);
        assertQuiet();
        browser.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
    }

    @Test
    void shouldDrawTheScalingOfASimulation() {
        List<ScalingReport.Line> lines =
                List.of(line("parameter-server/32 stale 4", 0.4), line("diloco/64 int8", 0.9));
        ScalingReport.Subject subject =
                new ScalingReport.Subject("<model> on more machines", List.of("about it"), "EUR");
        open(ScalingReport.write(runs.resolve("scaling-report.html"), subject, lines), 1280);
        assertThat(charts())
                .extracting(chart -> chart.getDomAttribute("data-chart"))
                .containsExactly("speedUp", "efficiency", "hours", "borderBytesPerSample", "cost");
        assertThat(browser.findElements(By.cssSelector("#table tbody tr"))).hasSize(22);
        assertThat(browser.findElement(By.id("table")).getText())
                .contains("bytes between sites", "2.79 GiB", "2.86 MiB");
        WebElement table = browser.findElement(By.cssSelector("#table .scroll"));
        assertThat(table.getDomProperty("scrollWidth"))
                .as("the last column is seen without scrolling")
                .isEqualTo(table.getDomProperty("clientWidth"));
        assertThat(browser.findElement(By.tagName("h1")).getText())
                .isEqualTo("<model> on more machines");
        assertDrawn(300);
        assertQuiet();
    }

    @Test
    void shouldDrawAnEvaluation() {
        EvaluationReport report = SampleEvaluation.report();
        open(EvaluationPage.write(runs.resolve("report.html"), "<run> on a.csv", report), 1280);
        assertThat(figures())
                .extracting(figure -> figure.getDomAttribute("data-figure"))
                .containsExactly(
                        "roc",
                        "precision-recall",
                        "gain",
                        "lift",
                        "threshold",
                        "profit",
                        "calibration",
                        "probabilities",
                        "residuals",
                        "residual-histogram");
        assertDrawn(figures(), "data-figure", 60);
        assertThat(browser.findElement(By.tagName("h1")).getText()).isEqualTo("<run> on a.csv");
        assertThat(browser.findElement(By.id("evaluation")).getText())
                .contains("model's", "weighted mean", "a<b>column");
        assertThat(browser.findElements(By.cssSelector("table.shaded tbody td"))).hasSize(4);
        assertQuiet();
    }

    @Test
    void shouldShowTheEvaluationOfARunOnAPhoneInTheDark() throws Exception {
        Path run = new SampleRuns(runs).eventful(60);
        Files.write(new RunFolder(run).evaluationReport(), Json.bytes(SampleEvaluation.report()));
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
        show(run, 390);
        browser.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
        assertThat(figures()).hasSize(10);
        assertDrawn(figures(), "data-figure", 40);
        long page = (Long) browser.executeScript("return document.documentElement.scrollWidth");
        assertThat(page).isLessThanOrEqualTo(390);
        assertQuiet();
    }

    private static List<WebElement> figures() {
        return browser.findElements(By.cssSelector("figure[data-figure]"));
    }

    private static ScalingReport.Line line(String strategy, double efficiency) {
        List<ScalingReport.Point> points = new ArrayList<>();
        for (int machines = 1; machines <= 1024; machines *= 2) {
            double kept = machines == 1 ? 1 : efficiency;
            double speedUp = kept * machines;
            points.add(
                    new ScalingReport.Point(
                            machines,
                            256 * machines,
                            1000 * speedUp,
                            speedUp,
                            kept,
                            100 / speedUp,
                            machines == 1 ? 0 : 10_000.0 / machines,
                            machines == 1 ? 0 : 3e9,
                            3e6 * machines,
                            20 / kept));
        }
        return new ScalingReport.Line(strategy, points);
    }

    private void show(Path run, int width) {
        open(Report.write(run), width);
    }

    private static void open(Path page, int width) {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of(
                        "width",
                        width,
                        "height",
                        1000,
                        "deviceScaleFactor",
                        1,
                        "mobile",
                        width < 600));
        browser.manage().window().setSize(new Dimension(Math.max(500, width), 1000));
        browser.manage().logs().get(LogType.BROWSER);
        browser.manage().logs().get(LogType.PERFORMANCE);
        browser.get(page.toUri().toString());
    }

    private static List<WebElement> charts() {
        return browser.findElements(By.cssSelector("figure[data-chart]"));
    }

    private static void assertDrawn(long leastPixels) {
        assertDrawn(charts(), "data-chart", leastPixels);
    }

    private static void assertDrawn(List<WebElement> charts, String named, long leastPixels) {
        for (WebElement chart : charts) {
            String name = chart.getDomAttribute(named);
            assertThat(Long.parseLong(chart.getDomAttribute("data-points"))).as(name).isPositive();
            assertThat((Long) browser.executeScript(COLOURED_PIXELS, chart))
                    .as("coloured pixels of " + name)
                    .isGreaterThan(leastPixels);
        }
    }

    private static String background() {
        return (String)
                browser.executeScript("return getComputedStyle(document.body).backgroundColor");
    }

    /** No error in the console, and no request but for the page itself. */
    private static void assertQuiet() {
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
                .extracting(LogEntry::toString)
                .isEmpty();
        for (LogEntry entry : browser.manage().logs().get(LogType.PERFORMANCE)) {
            JsonNode message = Json.parse(entry.getMessage(), JsonNode.class).get("message");
            if (message.get("method").asString().equals("Network.requestWillBeSent")) {
                String url = message.at("/params/request/url").asString();
                assertThat(url).matches("(file:.*report\\.html|data:.*)");
            }
        }
    }
}
