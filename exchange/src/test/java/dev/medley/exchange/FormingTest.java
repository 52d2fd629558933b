package dev.medley.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.StepTag;
import dev.medley.base.WorkerId;
import dev.medley.base.memory.ElementType;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.base.time.Clock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may join an epoch, and what is agreed on. */
@Tag("unit")
class FormingTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int BYTES = 1 << 20;

    private static Fault failed(Formation formation) {
        assertThat(formation).isInstanceOf(Formation.Failed.class);
        return ((Formation.Failed) formation).fault();
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "SHARED_MEMORY"})
    void shouldFormTheNextEpochWithTheSurvivors(Transport transport) throws Exception {
        try (Ranks ranks = new Ranks(4, Ranks.options())) {
            List<Collective> first = ranks.form(ranks.everyone(1), transport, BYTES);
            first.get(2).abort(new Fault(Fault.Kind.SEALED, "coordinator", "lost"));
            List<Collective> second = ranks.form(ranks.group(2, 0, 1, 3), transport, BYTES);
            ranks.play(
                    second,
                    each -> {
                        each.buffer().buffer().putFloat(0, 1 + each.rank());
                        each.begin(new StepTag(2, 1, 1));
                        each.sum(0, BYTES, ElementType.FLOAT32);
                        assertThat(each.finish()).isNull();
                        assertThat(each.buffer().buffer().getFloat(0)).isEqualTo(6);
                        return null;
                    });
            Ranks.close(first);
            Ranks.close(second);
        }
    }

    @Test
    void shouldRefuseAConnectionOfAnEpochThatIsOver() throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options())) {
            Group old = ranks.everyone(1);
            List<Collective> living = ranks.form(ranks.group(2, 0, 1), Transport.TCP, BYTES);
            Fault fault =
                    failed(ranks.endpoints.get(2).form(old, new WorkerId(2), Transport.TCP, BYTES));
            assertThat(fault.kind()).isEqualTo(Fault.Kind.SEALED);
            assertThat(fault.message()).contains("refused epoch 1", "epoch 2");
            Ranks.close(living);
        }
    }

    @Test
    void shouldRefuseAMemberOfAnotherRun() throws Exception {
        ExchangeOptions options = Ranks.options().waitingAtMost(SECOND_NS, SECOND_NS);
        try (Ranks ranks = new Ranks(1, options);
                ExchangeEndpoint stranger =
                        ExchangeEndpoint.open(
                                Ranks.options().waitingAtMost(SECOND_NS, SECOND_NS),
                                Clock.system())) {
            ranks.endpoints.add(stranger);
            List<Formation> tried = ranks.tryForm(ranks.everyone(1), Transport.TCP, BYTES);
            assertThat(failed(tried.get(1)).message()).contains("another run");
            assertThat(failed(tried.get(0)).who()).isEqualTo("worker-1");
        }
    }

    @Test
    void shouldNameWhoDoesNotCome() throws Exception {
        ExchangeOptions options = Ranks.options().waitingAtMost(SECOND_NS / 2, SECOND_NS);
        try (Ranks ranks = new Ranks(3, options)) {
            Group group = ranks.everyone(1);
            List<Future<Formation>> others =
                    Stream.of(0, 2)
                            .map(
                                    rank ->
                                            ranks.start(
                                                    () ->
                                                            ranks.endpoints
                                                                    .get(rank)
                                                                    .form(
                                                                            group,
                                                                            new WorkerId(rank),
                                                                            Transport.AUTO,
                                                                            BYTES)))
                            .toList();
            assertThat(failed(others.get(0).get(120, TimeUnit.SECONDS)).who())
                    .isEqualTo("worker-1");
            assertThat(failed(others.get(1).get(120, TimeUnit.SECONDS)).message())
                    .contains("epoch 1");
        }
    }

    @Test
    void shouldSayThatNobodyListensWhenAMemberIsGone() throws Exception {
        try (Ranks ranks = new Ranks(2, Ranks.options())) {
            Group group = ranks.everyone(1);
            ranks.endpoints.get(0).close();
            Fault fault =
                    failed(
                            ranks.endpoints
                                    .get(1)
                                    .form(group, new WorkerId(1), Transport.TCP, BYTES));
            assertThat(fault.who()).isEqualTo("worker-0");
            assertThat(fault.message()).contains("cannot reach");
        }
    }

    @Test
    void shouldGiveUpFormingWhenCalledOff() throws Exception {
        Fault why = new Fault(Fault.Kind.SEALED, "coordinator", "epoch 1 is off");
        try (Ranks ranks = new Ranks(2, Ranks.options())) {
            Group group = ranks.everyone(1);
            ExchangeEndpoint first = ranks.endpoints.get(0);
            Future<Formation> forming =
                    ranks.start(() -> first.form(group, new WorkerId(0), Transport.TCP, BYTES));
            while (!forming.isDone()) {
                first.callOff(1, why);
                Thread.onSpinWait();
            }
            assertThat(failed(forming.get())).isEqualTo(why);
        }
    }

    @Test
    void shouldFailWhenBuffersDiffer() throws Exception {
        try (Ranks ranks = new Ranks(2, Ranks.options())) {
            Group group = ranks.everyone(1);
            Future<Formation> other =
                    ranks.start(
                            () ->
                                    ranks.endpoints
                                            .get(1)
                                            .form(group, new WorkerId(1), Transport.TCP, 64));
            Formation own =
                    ranks.endpoints.get(0).form(group, new WorkerId(0), Transport.TCP, BYTES);
            assertThat(failed(own).message()).contains("buffer 64", "buffer " + BYTES);
            assertThat(failed(other.get()).message()).contains("buffer 64", "buffer " + BYTES);
        }
    }

    @Test
    void shouldAgreeOnTcpAndSayWhyWhenOneHasNoSharedMemory(@TempDir Path folder) throws Exception {
        ExchangeOptions options = Ranks.options();
        try (Ranks ranks = new Ranks(2, options);
                ExchangeEndpoint poor =
                        ExchangeEndpoint.open(
                                options.sharingIn(folder.resolve("absent")), Clock.system())) {
            ranks.endpoints.add(poor);
            List<Collective> all = ranks.form(ranks.everyone(1), Transport.AUTO, BYTES);
            assertThat(all)
                    .extracting(Collective::description)
                    .allSatisfy(
                            text ->
                                    assertThat(text)
                                            .startsWith("TCP between 3 processes")
                                            .contains("worker-2", "absent"));
            Ranks.close(all);
        }
    }

    @Test
    void shouldTakeSharedMemoryByItselfAndLeaveNoNames() throws Exception {
        try (Ranks ranks = new Ranks(3, Ranks.options())) {
            List<Collective> all = ranks.form(ranks.everyone(1), Transport.AUTO, BYTES);
            assertThat(all)
                    .extracting(Collective::description)
                    .containsOnly("shared memory between 3 processes");
            try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
                assertThat(files.filter(file -> file.toString().contains("e1-r"))).isEmpty();
            }
            Ranks.close(all);
        }
    }

    @Test
    void shouldNotFormAnEpochTwice() throws Exception {
        try (Ranks ranks = new Ranks(1, Ranks.options())) {
            ranks.form(ranks.everyone(3), Transport.AUTO, BYTES);
            assertThatThrownBy(() -> ranks.form(ranks.everyone(3), Transport.AUTO, BYTES))
                    .hasRootCauseInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldSayWhichPortIsTaken() {
        try (Ranks ranks = new Ranks(1, Ranks.options())) {
            int port = ranks.endpoints.get(0).dataPort();
            assertThatThrownBy(
                            () ->
                                    ExchangeEndpoint.open(
                                            Ranks.options().listeningOn("127.0.0.1", port),
                                            Clock.system()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(String.valueOf(port));
        }
    }

    @Test
    void shouldHaveOneHostKeyOnOneHost() {
        assertThat(ExchangeEndpoint.hostKey()).isNotEmpty().isEqualTo(ExchangeEndpoint.hostKey());
    }
}
