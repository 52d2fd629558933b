package dev.medley.net.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.net.certs.TestClusters.Who;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Moves bytes one way, then both ways, in a JVM whose TLS takes new keys after few of them: there
 * TLS has to write in order to read.
 */
final class NewKeysProcess {
    private NewKeysProcess() {}

    /** Ends with exit code 0 if all arrived. */
    public static void main(String[] args) throws Exception {
        List<Link> pair = SecuredLinkTest.pair(Who.ONE, Who.ONE);
        Link one = pair.get(0);
        Link other = pair.get(1);
        byte[] there = SecuredLinkTest.noise(2 << 20, 1);
        byte[] back = SecuredLinkTest.noise(2 << 20, 2);
        byte[] arrivedThere = new byte[there.length];
        byte[] arrivedBack = new byte[back.length];
        CompletableFuture<Void> alone =
                SecuredLinkTest.run(() -> SecuredLinkTest.send(one, there, 1 << 18));
        SecuredLinkTest.receive(other, arrivedThere, 1 << 18);
        alone.get(120, TimeUnit.SECONDS);
        assertThat(arrivedThere).isEqualTo(there);
        List<CompletableFuture<Void>> both =
                List.of(
                        SecuredLinkTest.run(() -> SecuredLinkTest.send(one, there, 1 << 20)),
                        SecuredLinkTest.run(() -> SecuredLinkTest.send(other, back, 5000)),
                        SecuredLinkTest.run(() -> SecuredLinkTest.receive(one, arrivedBack, 999)));
        SecuredLinkTest.receive(other, arrivedThere, 1 << 16);
        for (CompletableFuture<Void> each : both) {
            each.get(120, TimeUnit.SECONDS);
        }
        assertThat(arrivedThere).isEqualTo(there);
        assertThat(arrivedBack).isEqualTo(back);
    }
}
