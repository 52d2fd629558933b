package dev.medley.exchange;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteSchemes;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.net.link.LinkSecurity;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/**
 * The options by which a worker exchanges. A value of this type is always valid; all members of a
 * run use the same.
 *
 * @param runToken known to the members of one run and to nobody else
 * @param bindAddress on which the endpoint listens
 * @param port on which it listens, 0 for any free one
 * @param sharedFolder where segments of shared memory lie
 * @param formTimeoutNs longest wait for the others while a collective forms
 * @param stepTimeoutNs longest wait within a step in which nothing moves
 * @param directBytes inside one site slices up to this length take the path of few messages
 * @param segmentBytes a large slice is cut into pieces of this length: one travels while one is
 *     added
 * @param betweenSites the schemes to choose from in a group of several sites. A ring adds in
 *     another order than the others, so that with both the bits of a sum would follow from measured
 *     latencies: it is left out unless somebody asks for it
 * @param compress the codec for what may be coded between sites
 * @param codec how far it goes
 * @param security which links go over TLS, and with what credentials of this machine
 * @param survey how thoroughly paths between machines are measured while a group forms
 */
public record ExchangeOptions(
        String runToken,
        String bindAddress,
        int port,
        Path sharedFolder,
        long formTimeoutNs,
        long stepTimeoutNs,
        int directBytes,
        int segmentBytes,
        Set<Scheme> betweenSites,
        Compress compress,
        CodecSpec codec,
        LinkSecurity security,
        Survey survey) {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int ALIGNMENT = 64;
    private static final Set<Scheme> BETWEEN_SITES =
            EnumSet.of(Scheme.RING, Scheme.LEADERS, Scheme.SHARES);

    /** The thoroughness with which paths between machines are measured. */
    public enum Survey {
        /** Only latencies. */
        NONE,
        /** Bandwidth too: one path between two sites, and the paths inside a small site. */
        BRIEF,
        /** All paths. */
        WHOLE
    }

    public ExchangeOptions {
        betweenSites = Set.copyOf(betweenSites);
        check(!runToken.isEmpty(), "runToken is empty: members of a run share a secret");
        check(port >= 0 && port < 65536, "port=%d: 0 for any, up to 65535", port);
        check(formTimeoutNs > 0, "formTimeoutNs=%d: above 0", formTimeoutNs);
        check(stepTimeoutNs > 0, "stepTimeoutNs=%d: above 0", stepTimeoutNs);
        check(
                directBytes >= 0 && directBytes <= 1 << 24,
                "directBytes=%d: between 0 and 16 MiB, since every peer gets a box of this size",
                directBytes);
        check(
                segmentBytes >= ALIGNMENT
                        && segmentBytes <= 1 << 26
                        && segmentBytes % ALIGNMENT == 0,
                "segmentBytes=%d: a multiple of %d up to 64 MiB, so that no element is cut",
                segmentBytes,
                ALIGNMENT);
        check(!betweenSites.isEmpty(), "betweenSites is empty: name at least one scheme");
        check(
                BETWEEN_SITES.containsAll(betweenSites),
                "betweenSites=%s: between sites there are %s",
                betweenSites,
                BETWEEN_SITES);
    }

    /** On loopback, with the usual patience: 30 s to form, 120 s within a step. */
    public static ExchangeOptions of(String runToken) {
        return new ExchangeOptions(
                runToken,
                "127.0.0.1",
                0,
                Path.of("/dev/shm"),
                30 * SECOND_NS,
                120 * SECOND_NS,
                SiteSchemes.MOST_DIRECT_BYTES,
                1 << 20,
                Set.of(Scheme.LEADERS, Scheme.SHARES),
                Compress.NONE,
                CodecSpec.DEFAULT,
                LinkSecurity.NONE,
                Survey.BRIEF);
    }

    /** The same, listening elsewhere. */
    public ExchangeOptions listeningOn(String address, int onPort) {
        return new ExchangeOptions(
                runToken,
                address,
                onPort,
                sharedFolder,
                formTimeoutNs,
                stepTimeoutNs,
                directBytes,
                segmentBytes,
                betweenSites,
                compress,
                codec,
                security,
                survey);
    }

    /** The same with other patience. */
    public ExchangeOptions waitingAtMost(long formNs, long stepNs) {
        return new ExchangeOptions(
                runToken,
                bindAddress,
                port,
                sharedFolder,
                formNs,
                stepNs,
                directBytes,
                segmentBytes,
                betweenSites,
                compress,
                codec,
                security,
                survey);
    }

    /** The same with other lengths. */
    public ExchangeOptions cutting(int direct, int segment) {
        return new ExchangeOptions(
                runToken,
                bindAddress,
                port,
                sharedFolder,
                formTimeoutNs,
                stepTimeoutNs,
                direct,
                segment,
                betweenSites,
                compress,
                codec,
                security,
                survey);
    }

    /** The same with other schemes between sites. */
    public ExchangeOptions choosingOf(Set<Scheme> schemes) {
        return new ExchangeOptions(
                runToken,
                bindAddress,
                port,
                sharedFolder,
                formTimeoutNs,
                stepTimeoutNs,
                directBytes,
                segmentBytes,
                schemes,
                compress,
                codec,
                security,
                survey);
    }

    /** The same with another codec between sites, which goes as far as is usual. */
    public ExchangeOptions compressing(Compress by) {
        return compressing(by, CodecSpec.DEFAULT);
    }

    /** The same with another codec between sites. */
    public ExchangeOptions compressing(Compress by, CodecSpec how) {
        return new ExchangeOptions(
                runToken,
                bindAddress,
                port,
                sharedFolder,
                formTimeoutNs,
                stepTimeoutNs,
                directBytes,
                segmentBytes,
                betweenSites,
                by,
                how,
                security,
                survey);
    }

    /** The same with segments of shared memory elsewhere. */
    public ExchangeOptions sharingIn(Path folder) {
        return new ExchangeOptions(
                runToken,
                bindAddress,
                port,
                folder,
                formTimeoutNs,
                stepTimeoutNs,
                directBytes,
                segmentBytes,
                betweenSites,
                compress,
                codec,
                security,
                survey);
    }

    /** The same with these links over TLS; the scope is the same for all members of a run. */
    public ExchangeOptions securing(LinkSecurity links) {
        return new ExchangeOptions(
                runToken,
                bindAddress,
                port,
                sharedFolder,
                formTimeoutNs,
                stepTimeoutNs,
                directBytes,
                segmentBytes,
                betweenSites,
                compress,
                codec,
                links,
                survey);
    }

    /** The same with paths measured otherwise. */
    public ExchangeOptions surveying(Survey thoroughness) {
        return new ExchangeOptions(
                runToken,
                bindAddress,
                port,
                sharedFolder,
                formTimeoutNs,
                stepTimeoutNs,
                directBytes,
                segmentBytes,
                betweenSites,
                compress,
                codec,
                security,
                thoroughness);
    }
}
