package dev.medley.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.medley.base.ConfigException;
import dev.medley.base.memory.ElementType;
import dev.medley.base.time.Clock;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class TorchTest {
    /** Started by a test in a process of its own. */
    static final class Start {
        public static void main(String[] arguments) {
            try {
                Torch.start(1);
                if (Boolean.getBoolean("medley.flush")) {
                    System.out.print("started with " + tiny());
                    Torch.flushingSubnormals(() -> System.out.print(", then " + tiny()));
                    System.out.println(", then " + tiny());
                    return;
                }
                System.out.println("started " + Torch.kernelKey());
            } catch (ConfigException e) {
                System.out.println("refused " + e.getMessage());
            }
        }
    }

    /** As a mean of gradients that has decayed for long. */
    private static double tiny() {
        try (MemoryScope unused = MemoryScope.open()) {
            return Tensor.zeros(ElementType.FLOAT32, 1).plus(1e-30).times(1e-10).item();
        }
    }

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    /**
     * A server does so for each model that it loads. Searching makes hundreds of KiB of garbage.
     */
    @Test
    void shouldSearchNoLibrariesWhenItIsStartedAgain() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Torch.start(1);
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        Torch.start(1);
        long made = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertThat(made).isLessThan(10_000);
    }

    @Test
    void shouldSayWhatToDoWhenThePlatformHasNoNatives() throws Exception {
        String output = start("-Dorg.bytedeco.javacpp.platform=linux-riscv64");
        assertThat(output)
                .startsWith("refused ")
                .contains("linux-riscv64", "linux-x86_64", "macosx-arm64");
    }

    @Test
    void shouldGiveTheSameKernelKeyInAnotherProcess() throws Exception {
        assertThat(start("-Dmedley.nothing=1").strip()).isEqualTo("started " + Torch.kernelKey());
        String one = Torch.kernelKey();
        Torch.start(2);
        assertThat(Torch.kernelKey()).isNotEqualTo(one).contains("threads=2");
        Torch.start(1);
    }

    @Test
    void shouldTakeSubnormalNumbersForNothing() throws Exception {
        assertThat(start("-Dmedley.flush=true"))
                .matches("started with \\d\\.\\d+E-4[01], then 0\\.0, then \\d\\.\\d+E-4[01]\\s*");
    }

    /** As workers do after an installation. One in two ended with SIGBUS without a lock. */
    @Test
    void shouldStartInSeveralProcessesAtOnceOnAFreshMachine(@TempDir Path folder) throws Exception {
        String option = "-Dorg.bytedeco.javacpp.cachedir=" + folder;
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            processes.add(begin(List.of(option), Start.class.getName()));
        }
        for (Process process : processes) {
            assertThat(output(process)).contains("started " + Torch.kernelKey());
        }
        assertThat(folder).isDirectoryContaining(path -> path.toString().endsWith(".unpacked"));
        assertThat(start(option)).isEqualTo("started " + Torch.kernelKey());
        shouldSeekLibrariesAgainOnlyWhereOneHasChanged(option, folder);
    }

    private static void shouldSeekLibrariesAgainOnlyWhereOneHasChanged(String option, Path folder)
            throws Exception {
        String sought = "Loading library cudnn"; // In vain: it is in no jar.
        List<String> options = List.of(option, "-Dorg.bytedeco.javacpp.logger.debug=true");
        String started = "started " + Torch.kernelKey();
        assertThat(run(options, Start.class.getName())).contains(sought, started);
        assertThat(run(options, Start.class.getName())).doesNotContain(sought).contains(started);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path kept : files.filter(f -> f.toString().endsWith(".libraries")).toList()) {
                Files.writeString(kept, Files.readString(kept).substring(0, 200)); // Cut short.
            }
        }
        assertThat(run(options, Start.class.getName())).contains(sought, started);
        Path core;
        try (Stream<Path> files = Files.walk(folder)) {
            core = files.filter(file -> file.endsWith("libc10.so")).findFirst().orElseThrow();
        }
        Files.write(core, new byte[] {0}, StandardOpenOption.APPEND);
        assertThat(run(options, Start.class.getName())).contains(sought, started);
    }

    private static String start(String option) throws Exception {
        String output = run(List.of(option), Start.class.getName());
        return output.lines()
                .filter(line -> line.startsWith("started") || line.startsWith("refused"))
                .findFirst()
                .orElse(output);
    }

    private static String run(List<String> options, String... mainAndArguments) throws Exception {
        return output(begin(options, mainAndArguments));
    }

    private static Process begin(List<String> options, String... mainAndArguments)
            throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(mainAndArguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String output(Process process) throws Exception {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return output;
    }

    @Test
    void shouldMeasureMatrixProducts() {
        Gemm gemm = new Gemm(Clock.system());
        assertThat(gemm.fp32FlopsPerSecond(256, 3)).isGreaterThan(1e9);
        assertThat(gemm.bf16FlopsPerSecond(256, 3)).isGreaterThan(1e8);
    }

    @Test
    void shouldStayFlatInMemory() throws Exception {
        // All of the heap is resident from the start: what grows is outside of it.
        List<String> options =
                List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1");
        String output = run(options, MemoryFlatness.class.getName(), "1000");
        Matcher grown = Pattern.compile("(-?\\d+) KiB more").matcher(output);
        assertThat(grown.find()).as(output).isTrue();
        assertThat(Long.parseLong(grown.group(1))).isLessThan(3 << 10);
    }

    @Test
    void shouldCallTheLackOfMemoryByItsName() {
        assertThatThrownBy(
                        () -> {
                            try {
                                Tensor.zeros(ElementType.FLOAT64, 1L << 48);
                            } catch (RuntimeException e) {
                                throw Torch.translate(e);
                            }
                        })
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessageContaining("LibTorch");
    }

    @Test
    void shouldReadTheProcessor() {
        CpuFacts facts =
                CpuFacts.parse(
                        List.of(
                                "vendor_id\t: AuthenticAMD",
                                "cpu family\t: 25",
                                "model\t\t: 17",
                                "stepping\t: 1",
                                "flags\t\t: fpu avx512_bf16"));
        assertThat(facts.model()).isEqualTo("AuthenticAMD-25-17-1");
        assertThat(facts.abilities()).contains("avx512_bf16");
        assertThat(CpuFacts.parse(List.of()).identity()).isNotEmpty();
    }
}
