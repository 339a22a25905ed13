import { contextBridge, ipcRenderer } from 'electron';
import {
  type Bridge,
  BRIDGE_NAME,
  ipcRequests,
  STATUS_CHANNEL,
  type StatusMessage,
} from './bridge.ts';

const bridge: Bridge = {
  getStatus: () => ipcRenderer.invoke(ipcRequests.status),
  getAbout: () => ipcRenderer.invoke(ipcRequests.about),
  getExchange: (id) => ipcRenderer.invoke(ipcRequests.exchange, id),
  pause: () => ipcRenderer.invoke(ipcRequests.pause),
  resume: () => ipcRenderer.invoke(ipcRequests.resume),
  onStatus(listener) {
    // The event would hand the page the whole ipcRenderer.
    const hear = (_event: unknown, status: StatusMessage): void => listener(status);
    ipcRenderer.on(STATUS_CHANNEL, hear);
    return () => void ipcRenderer.off(STATUS_CHANNEL, hear);
  },
};

contextBridge.exposeInMainWorld(BRIDGE_NAME, bridge);
