package dev.medley.hub.agent;

import dev.medley.base.ConfigException;
import dev.medley.control.agent.AgentOptions;
import dev.medley.control.agent.AgentOptions.Stay;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an agent that stays with a hub.
 *
 * @param runs settings for each run that it serves; where it joins is replaced
 * @param offer what its owner says of the machine
 * @param warning a file that appears when the machine is about to be taken away, with the seconds
 *     that are left; null for none
 * @param patienceS seconds without a hub after which it ends, while it serves nothing; infinite
 *     where it waits
 */
public record FleetAgentOptions(
        AgentOptions runs, MachineOffer offer, @Nullable Path warning, double patienceS) {
    public FleetAgentOptions {
        ConfigException.check(patienceS >= 0, "--wait-s %s: give 0 or more", patienceS);
    }

    /** The settings for a run at an address. */
    AgentOptions at(String address, String hubHost) {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        boolean isAny = host.equals("0.0.0.0") || host.isEmpty();
        int port = Integer.parseInt(address.substring(colon + 1));
        return new AgentOptions(
                InetSocketAddress.createUnresolved(isAny ? hubHost : host, port),
                runs.credentials(),
                runs.token(),
                runs.name(),
                runs.site(),
                runs.bind(),
                runs.advertise(),
                runs.ports(),
                runs.folder(),
                runs.copies(),
                Stay.ONE_RUN);
    }
}
