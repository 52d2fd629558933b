package dev.medley.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.WorkerSettings;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.time.Clock;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.exchange.ExchangeOptions;
import dev.medley.net.link.LinkSecurity;
import dev.medley.net.tls.Credentials;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the port of a worker that its peers dial, and says which links are secured. */
public final class Listening {
    private static final Logger LOG = LoggerFactory.getLogger(Listening.class);

    private Listening() {}

    /** Which links of a cluster's workers are secured. */
    public static LinkSecurity security(ClusterSpec cluster, @Nullable Credentials credentials) {
        JoinSpec join = cluster.join();
        if (join == null || credentials == null) {
            return LinkSecurity.NONE;
        }
        return switch (join.encrypt()) {
            case BETWEEN_SITES -> LinkSecurity.betweenSites(credentials);
            case ALL -> LinkSecurity.all(credentials);
            case NONE -> LinkSecurity.NONE;
        };
    }

    /**
     * On the first port of the place's that is free.
     *
     * @throws ConfigException if none is
     */
    public static ExchangeEndpoint at(WorkerSettings at, ExchangeOptions options, Clock clock) {
        for (int port = at.firstPort(); port < at.lastPort(); port++) {
            try {
                return ExchangeEndpoint.open(options.listeningOn(at.bind(), port), clock);
            } catch (ConfigException e) {
                LOG.info("port {} is taken: {}", port, e.getMessage());
            }
        }
        return ExchangeEndpoint.open(options.listeningOn(at.bind(), at.lastPort()), clock);
    }
}
