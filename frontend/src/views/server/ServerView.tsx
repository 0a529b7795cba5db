import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { serviceQuery, type Service } from '../../api/service';
import { Loading } from '../../components/Loading';
import { FailedQuery } from '../../components/problem/FailedQuery';
import { Bytes, Count } from '../../components/Quantity';
import { ViewLink } from '../../components/ViewLink';
import { paths } from '../../viewState/paths';
import styles from './Server.module.css';

/** What this server is, how full it is, and what it is busy with. */
export default function ServerView() {
  const service = useQuery(serviceQuery);
  return (
    <div className={styles.page}>
      <h1>This server</h1>
      <FailedQuery isPage={service.data === undefined} query={service} />
      {service.isPending ? <Loading what="the server" /> : null}
      {service.data ? <Facts service={service.data} /> : null}
    </div>
  );
}

function Facts({ service }: { readonly service: Service }) {
  const { storage, loads } = service;
  return (
    <div className={styles.groups} data-rendered="service">
      <Group title="Storage">
        <Fact
          name="Recordings"
          note={
            <>
              in <Count value={storage.recording_count} /> {storage.recording_count === 1 ? 'file' : 'files'}
            </>
          }
        >
          <Bytes value={storage.recording_bytes} />
        </Fact>
        <Fact name="Database">
          <Bytes value={storage.database_bytes} />
        </Fact>
        <Fact
          name="Free"
          note={
            <>
              uploads leave <Bytes value={storage.kept_free_bytes} /> free
            </>
          }
        >
          <Bytes value={storage.free_bytes} />
        </Fact>
        <Fact name="Largest upload">
          <Bytes value={storage.max_upload_bytes} />
        </Fact>
        <Fact name="Unfinished uploads">
          <Count value={storage.unfinished_upload_count} />
        </Fact>
      </Group>
      <Group title="Loading">
        <Fact
          name="Workers"
          note={loads.worker_count === 0 ? 'uploads wait until one is started' : undefined}
        >
          <Count value={loads.worker_count} />
        </Fact>
        <Fact name="Waiting">
          <Count value={loads.queued_count} />
        </Fact>
        <Fact name="Being loaded">
          <Count value={loads.loading_count} />
        </Fact>
        <Fact name="Failed">
          <Count value={loads.failed_count} />
        </Fact>
      </Group>
      <Group title="Versions">
        <Fact name="Jitterscope">{service.version}</Fact>
        <Fact name="PostgreSQL">{service.database_version}</Fact>
      </Group>
      <Group title="Safety">
        <Fact
          name="Reader confined by"
          note={
            service.missing_walls.length > 0
              ? `not offered here: ${service.missing_walls.join(', ')}`
              : undefined
          }
        >
          {service.walls.length > 0 ? service.walls.join(', ') : 'nothing: upload only files that you trust'}
        </Fact>
        <Fact name="Access">
          {service.is_access_controlled ? 'decided by a proxy' : 'everybody on this machine only'}
        </Fact>
      </Group>
      <p className={styles.more}>
        <ViewLink to={paths.help('operators')}>Running a server</ViewLink>
        <ViewLink to={paths.help('settings')}>Settings</ViewLink>
        <a href="/docs">REST reference</a>
        <a href="/readyz">Readiness</a>
      </p>
    </div>
  );
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      <dl>{children}</dl>
    </section>
  );
}

interface FactProps {
  readonly name: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

function Fact({ name, note, children }: FactProps) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>
        {children}
        {note === undefined ? null : <span className={styles.note}>{note}</span>}
      </dd>
    </div>
  );
}
