package dev.medley.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.job.JobFile;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JoinSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What {@code --resume} does with options about who computes. */
@Tag("unit")
class JobOptionsTest {
    @TempDir Path folder;

    @Test
    void aResumedRunShouldWaitForMachinesWhereItIsTold() throws IOException {
        JobSpec before = job("cluster: {listen: '127.0.0.1:7077', expect: 4, join_timeout: 7s}");
        JobSpec after = options("--listen", "127.0.0.1:7099", "--expect", "2").resumed(before);
        assertThat(join(after).listen()).isEqualTo("127.0.0.1:7099");
        assertThat(join(after).timeoutNs()).as("as before").isEqualTo(7_000_000_000L);
        assertThat(after.cluster().workers()).isEqualTo(2);
        assertThat(options().resumed(before)).isEqualTo(before);
        assertThat(options("--workers", "3").resumed(before).cluster().workers()).isEqualTo(3);
    }

    @Test
    void theOtherOptionsShouldChangeWhatTheyAreAbout() throws IOException {
        JobSpec before = job("cluster: {listen: '0.0.0.0:7077', expect: 4}");
        JobSpec after = options("--credentials", "certs/boss").resumed(before);
        assertThat(join(after).credentials())
                .isEqualTo(Path.of("certs/boss").toAbsolutePath().toString());
        assertThat(join(after).listen()).isEqualTo("0.0.0.0:7077");
        assertThat(join(options("--token-file", "token").resumed(before)).tokenFile())
                .isEqualTo(Path.of("token").toAbsolutePath().toString());
        assertThat(after.cluster().workers()).isEqualTo(4);
        assertThat(join(options("--interface", loopback()).resumed(before)).listen())
                .isEqualTo("127.0.0.1:7077");
    }

    @Test
    void machinesShouldJoinARunOfOneMachineWhenItIsGoneOnWith() throws IOException {
        JobSpec before = job("cluster: {workers: 2, threads: 1}");
        JobSpec after = options("--listen", "127.0.0.1:0", "--expect", "3").resumed(before);
        assertThat(join(after)).isEqualTo(JoinSpec.at("127.0.0.1:0"));
        assertThat(after.cluster().workers()).isEqualTo(3);
        assertThat(after.data()).isEqualTo(before.data());
    }

    @Test
    void whatMeansNothingShouldBeRefusedInOneSentence() throws IOException {
        JobSpec local = job("cluster: {workers: 2}");
        for (String[] given :
                new String[][] {
                    {"--expect", "3"},
                    {"--interface", "lo"},
                    {"--credentials", "certs"},
                    {"--token-file", "token"}
                }) {
            assertThatThrownBy(() -> options(given).resumed(local))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith(given[0] + " " + given[1] + " is about machines")
                    .hasMessageContaining("add --listen");
        }
        JobSpec joined = job("cluster: {listen: '127.0.0.1:7077', expect: 4}");
        assertThatThrownBy(() -> options("--workers", "2", "--expect", "3").resumed(joined))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("leave one of them out");
        assertThatThrownBy(() -> options("--listen", "here").resumed(joined))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("HOST:PORT");
    }

    /**
     * No option's text is read as YAML: brackets, braces, quotes and stars stand for themselves.
     */
    @Test
    void theTextOfAnOptionShouldStandAsItIs() throws IOException {
        Path file = folder.resolve("job.yaml");
        JobSpec unused = job("");
        for (String listen : List.of("[::1]:0", "127.0.0.1:7077", "[fe80::1%lo]:7077")) {
            JobSpec job = options("--listen", listen).readAnywhere(file).spec();
            assertThat(join(job).listen()).isEqualTo(listen);
        }
        assertThat(join(options("--listen", "[::1]:0").readAnywhere(file).spec()).host())
                .isEqualTo("::1");
        String odd = folder.resolve("*a: {b}, 'c' # \"d\" & !e\u00e9").toString();
        JobSpec job =
                options("--listen", "[::1]:0", "--credentials", odd, "--token-file", odd)
                        .readAnywhere(file)
                        .spec();
        assertThat(join(job).credentials()).isEqualTo(odd);
        assertThat(join(job).tokenFile()).isEqualTo(odd);
        assertThatThrownBy(() -> options("--listen", "{a: b}").readAnywhere(file))
                .hasMessageStartingWith("--listen {a: b}: cluster.listen");
        assertThatThrownBy(() -> options("--listen", "::1:7077").readAnywhere(file))
                .hasMessageContaining("IPv6 address in brackets");
        assertThatThrownBy(() -> options("--listen", "[:7077").readAnywhere(file))
                .hasMessageContaining("IPv6 address in brackets");
        assertThatThrownBy(() -> options("--workers", "-3").readAnywhere(file))
                .hasMessageStartingWith("--workers -3: cluster.workers");
    }

    private static String loopback() throws IOException {
        return NetworkInterface.getByInetAddress(InetAddress.getByName("127.0.0.1")).getName();
    }

    private static JobOptions options(String... given) {
        return CommandLine.populateCommand(new JobOptions(), given);
    }

    private static JoinSpec join(JobSpec job) {
        JoinSpec join = job.cluster().join();
        assertThat(join).isNotNull();
        return join;
    }

    private JobSpec job(String cluster) throws IOException {
        Files.writeString(folder.resolve("t.csv"), "a,y\n1,0\n2,1\n");
        Path file =
                Files.writeString(
                        folder.resolve("job.yaml"),
                        "name: j\ndata: {train: t.csv, label: y}\nmodel: mlp\n"
                                + "train: {epochs: 1, batch: 16}\n"
                                + cluster
                                + "\n");
        return JobFile.read(file, List.of()).spec();
    }
}
