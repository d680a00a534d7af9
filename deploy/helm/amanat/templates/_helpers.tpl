{{- define "amanat.labels" -}}
app.kubernetes.io/name: amanat
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Values.image.tag | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Labels that select the pods of a component: a dict with root and component. */}}
{{- define "amanat.selector" -}}
app.kubernetes.io/name: amanat
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* The image of a program: a dict with root, program and tag. */}}
{{- define "amanat.image" -}}
image: {{ printf "%s/amanat-%s:%s" (.root.Values.image.registry | trimSuffix "/") .program (.tag | default .root.Values.image.tag) | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
{{- end }}

{{/* Variables from dicts; a later one overrides an earlier one. */}}
{{- define "amanat.env" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}

{{/* Variables from a Secret: a dict with secret, names, and optional, the names that it may lack. */}}
{{- define "amanat.secretEnv" -}}
{{- range $name := .names }}
- name: {{ $name }}
  valueFrom: {secretKeyRef: {name: {{ $.secret }}, key: {{ $name }}}}
{{- end }}
{{- range $name := .optional }}
- name: {{ $name }}
  valueFrom: {secretKeyRef: {name: {{ $.secret }}, key: {{ $name }}, optional: true}}
{{- end }}
{{- end }}

{{- define "amanat.podSecurity" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "amanat.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{- define "amanat.probes" -}}
startupProbe:
  httpGet: {path: /readyz, port: ops}
  periodSeconds: 2
  failureThreshold: 60
readinessProbe:
  httpGet: {path: /readyz, port: ops}
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 1
livenessProbe:
  httpGet: {path: /healthz, port: ops}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}

{{/* Where pods run: the replicas of a component on different nodes, if there are several. */}}
{{- define "amanat.placement" -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ include "amanat.selector" . | nindent 8 }}
{{- end }}

{{- /*
The pod of a command of `amanat`, with the login of the database's owner: a dict with root,
component, and args or a script, which has the volume claim at /backup.
*/ -}}
{{- define "amanat.tool" -}}
{{- $root := .root -}}
metadata:
  labels: {{ include "amanat.selector" (dict "root" $root "component" .component) | nindent 4 }}
spec:
  restartPolicy: Never
  {{- include "amanat.podSecurity" $root | nindent 2 }}
  {{- with $root.Values.imagePullSecrets }}
  imagePullSecrets: {{ toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: amanat
      {{- include "amanat.image" (dict "root" $root "program" "amanat" "tag" "") | nindent 6 }}
      {{- if hasKey . "script" }}
      command: [sh, -ec, {{ toJson .script }}]
      volumeMounts: [{name: backup, mountPath: /backup}]
      {{- else }}
      args: {{ toJson .args }}
      # For a command that reads a log: kubectl attach.
      stdin: true
      stdinOnce: true
      {{- end }}
      env:
        {{- include "amanat.env" (dict "PUBLIC_URL" $root.Values.publicUrl) | nindent 8 }}
        {{- include "amanat.secretEnv" (dict "secret" $root.Values.secrets.migrate "names" (list "DATABASE_URL" "API_DB_PASSWORD" "WORKER_DB_PASSWORD") "optional" (list "BLOBS_URL")) | nindent 8 }}
      {{- include "amanat.containerSecurity" $root | nindent 6 }}
      resources:
        requests: {cpu: 100m, memory: 128Mi}
        limits: {memory: 512Mi}
  {{- if hasKey . "script" }}
  volumes: [{name: backup, persistentVolumeClaim: {claimName: {{ .claim }}}}]
  {{- end }}
{{- end }}
